/* lib/pass/to-cpu.c - the pipeline remat-to-cpu: tensors down to LLVM.
 *
 * Planned first, if a budget or an overhead is given. In one arena, every
 * kernel is put into a function of its own; then loops, then LLVM's dialect.
 * Three choices are not upstream's defaults:
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

/* Fences on scalars are left by bufferization. */
static const char to_llvm[] =
    "remat-lower,convert-bufferization-to-memref,remat-outline-kernels,func."
    "func(remat-"
    "order-loops),"
    "convert-linalg-to-loops,expand-strided-metadata,lower-affine,"
    "remat-widen-bools,"
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

static bool shall_plan(RmPassRun *options) {
  return *rm_option_string(options, "budget") ||
         *rm_option_string(options, "overhead") ||
         *rm_option_string(options, "plan-in");
}

/* What the planner counts on is what runs. */
static char *lowering_of(RmPassRun *options) {
  const char *lowering = rm_option_string(options, "lowering");
  if (!strcmp(lowering, "remat-to-arena"))
    return rm_lowering_to_arena("");
  return join(&lowering, 1);
}

char *rm_pipeline_to_cpu(RmPassRun *options, char *error, int room) {
  (void)error, (void)room; /* the passes refuse what is wrong */
  char *to_arena = lowering_of(options), *given = rm_options_print(options);
  const char *parts[] = {"remat-entry-points,",
                         "remat-plan{",
                         given,
                         "},",
                         to_arena,
                         ",",
                         to_llvm};
  if (!shall_plan(options))
    parts[1] = parts[2] = parts[3] = "";
  char *text =
      to_arena && given ? join(parts, sizeof parts / sizeof *parts) : NULL;
  free(to_arena);
  free(given);
  return text;
}
