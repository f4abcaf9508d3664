/* lib/pass/lowering.h - the passes from tensors to one arena, as text. */
#ifndef RM_PASS_LOWERING_H
#define RM_PASS_LOWERING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RmArenaOptions {
  int64_t alignment;      /* of each buffer; 0: as the pass has it */
  bool lent_by_caller;    /* arena=argument */
  int effort;             /* of the packer, 0 to 3 */
  bool copied;            /* forward=false */
  bool apart;             /* in-place=false */
  bool in_results;        /* scratch=results */
  int64_t max_allocation; /* 0: no limit */
} RmArenaOptions;

/* What stands between the parentheses of "builtin.module(...)": from tensors to
 * memrefs whose only allocation is the arena, results in buffers of the caller.
 * Between planning and this nothing that merges equal ops may run. Allocated
 * with malloc; null when memory ran out. */
char *rm_lowering_to_arena(const RmArenaOptions *options);

#endif
