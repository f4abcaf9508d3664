/* lib/pass/to-cpu.c - the pipeline remat-to-cpu: tensors down to LLVM.
 *
 * In one arena, every kernel is put into a function of its own; then loops,
 * then LLVM's dialect. Three choices are not upstream's defaults:
 *   - scf to cf without pattern rollback, which is superlinear;
 *   - bf16 is computed in f32 and rounded by integer ops, so that no library
 *     function and no target feature has a say in the bits. No canonicalizer
 *     runs between the three passes that do this: it would fold rounding away;
 *   - allocations are calls of `_mlir_memref_to_llvm_aligned_alloc` and the
 *     like, so that whoever runs the program can count them. */
#include "pass/lowering.h"
#include "pass/pipelines.h"

#include <stdlib.h>
#include <string.h>

static const char to_llvm[] =
    "convert-bufferization-to-memref,remat-outline-kernels,func.func(remat-"
    "order-loops),"
    "convert-linalg-to-loops,expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf{allow-pattern-rollback=0},"
    "math-extend-to-supported-types,"
    "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32},"
    "arith-expand{include-bf16=1},"
    "convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
    "convert-index-to-llvm,"
    "finalize-memref-to-llvm{use-generic-functions=1 use-aligned-alloc=1},"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts";

static char *join(const char *const *parts, int count) {
  size_t length = 1;
  for (int i = 0; i < count; ++i)
    length += strlen(parts[i]);
  char *text = calloc(length, 1);
  for (int i = 0; text && i < count; ++i)
    strcat(text, parts[i]);
  return text;
}

char *rm_pipeline_to_cpu(RmPassRun *options, char *error, int room) {
  (void)options, (void)error, (void)room;
  char *to_arena = rm_lowering_to_arena(&(RmArenaOptions){.effort = 1});
  if (!to_arena)
    return NULL;
  const char *parts[] = {"remat-entry-points,", to_arena, ",", to_llvm};
  char *text = join(parts, sizeof parts / sizeof *parts);
  free(to_arena);
  return text;
}
