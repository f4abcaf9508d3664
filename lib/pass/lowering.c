/* lib/pass/lowering.c - the passes from tensors to one arena, as text.
 *
 * No `cse` and no canonicalizer runs on tensors: both may merge or move what the
 * planner put where it is. After bufferization they are harmless, and needed:
 * they fold what loops and branches yield into the buffers that stand outside,
 * so that these are seen as the results. Fences and checkpoints of scalars,
 * which have no buffers, are taken out by then. */

#include "pass/lowering.h"

#include "pass/pipelines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char to_memrefs[] =
    "remat-inline-calls,remat-protect-arguments,remat-unshare-inits,"
    "remat-carry-in-place,"
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "remat-lower,canonicalize,cse,remat-lend-results,";

char *rm_lowering_to_arena(const RmArenaOptions *options) {
  const char *format =
      "%sremat-plan-memory{alignment=%" PRId64 " arena=%s effort=%d}";
  int64_t alignment = options->alignment ? options->alignment : 64;
  const char *arena = options->lent_by_caller ? "argument" : "alloc";
  int length =
      snprintf(NULL, 0, format, to_memrefs, alignment, arena, options->effort);
  char *text = malloc((size_t)length + 1);
  if (text)
    snprintf(text, (size_t)length + 1, format, to_memrefs, alignment, arena,
             options->effort);
  return text;
}

char *rm_pipeline_to_arena(RmPassRun *options, char *error, int room) {
  (void)error, (void)room; /* the passes refuse what is wrong */
  RmArenaOptions arena = {.alignment = rm_option_size(options, "alignment"),
                          .lent_by_caller =
                              rm_option_choice(options, "arena") == 1,
                          .effort = (int)rm_option_int(options, "effort")};
  return rm_lowering_to_arena(&arena);
}
