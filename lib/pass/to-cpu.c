/* lib/pass/to-cpu.c - the pipeline remat-to-cpu: tensors down to LLVM.
 *
 * Bufferized, every kernel is put into a function of its own; then loops, then
 * LLVM's dialect. Three choices are not upstream's defaults:
 *   - scf to cf without pattern rollback, which is superlinear;
 *   - bf16 is computed in f32 and rounded by integer ops, so that no library
 *     function and no target feature has a say in the bits. No canonicalizer
 *     runs between the three passes that do this: it would fold rounding away;
 *   - allocations are calls of `_mlir_memref_to_llvm_alloc`,
 * `..._aligned_alloc` and `..._free`, so that whoever runs the program can
 * count them. */
#include "pass/pipelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Until buffers are planned into an arena: each is freed after its last use. */
static const char to_buffers[] =
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{hoist-static-allocs=1 "
    "modify-public-functions=1},canonicalize,cse,"
    "buffer-deallocation-pipeline,func.func(optimize-allocation-liveness),"
    "convert-bufferization-to-memref,";

static const char to_llvm[] =
    "remat-outline-kernels,func.func(remat-order-loops),"
    "convert-linalg-to-loops,expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf{allow-pattern-rollback=0},"
    "math-extend-to-supported-types,"
    "arith-emulate-unsupported-floats{source-types=bf16 target-type=f32},"
    "arith-expand{include-bf16=1},"
    "convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,"
    "convert-index-to-llvm,"
    "finalize-memref-to-llvm{use-generic-functions=1 use-aligned-alloc=1},"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts";

char *rm_pipeline_to_cpu(RmPassRun *options, char *error, int room) {
  (void)options, (void)error, (void)room;
  static const char *const parts[] = {"remat-entry-points,", to_buffers,
                                      to_llvm};
  size_t length = 1;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    length += strlen(parts[i]);
  char *text = calloc(length, 1);
  for (size_t i = 0; text && i < sizeof parts / sizeof *parts; ++i)
    strcat(text, parts[i]);
  return text;
}
