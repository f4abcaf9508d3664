/* lib/pass/lowering.h - the passes from tensors to one arena, as text. */
#ifndef RM_PASS_LOWERING_H
#define RM_PASS_LOWERING_H

/* What stands between the parentheses of "builtin.module(...)": from tensors to
 * memrefs whose only allocation is the arena, results in buffers of the caller.
 * Between planning and this nothing that merges equal ops may run. `options`
 * are those of remat-plan-memory, as text. Allocated with malloc; null when
 * memory ran out. */
char *rm_lowering_to_arena(const char *options);

#endif
