/* lib/pass/lowering.c - the passes from tensors to one arena, as text.
 *
 * No `cse` and no canonicalizer runs on tensors: both may merge or move what
 * the planner put where it is. After bufferization they are harmless, and
 * needed: they fold what loops and branches yield into the buffers that stand
 * outside, so that these are seen as the results. Fences and checkpoints of
 * scalars, which have no buffers, are taken out by then. */

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
  enum { MOST = 200 }; /* of what is not `to_memrefs` */
  int64_t alignment = options->alignment ? options->alignment : 64;
  size_t room = sizeof to_memrefs + MOST;
  char *text = malloc(room);
  if (text)
    snprintf(text, room,
             "%sremat-plan-memory{alignment=%" PRId64
             " arena=%s effort=%d forward=%s in-place=%s scratch=%s "
             "max-allocation=%" PRId64 "}",
             to_memrefs, alignment,
             options->lent_by_caller ? "argument" : "alloc", options->effort,
             options->copied ? "false" : "true",
             options->apart ? "false" : "true",
             options->in_results ? "results" : "none", options->max_allocation);
  return text;
}

char *rm_pipeline_to_arena(RmPassRun *options, char *error, int room) {
  (void)error, (void)room; /* the passes refuse what is wrong */
  RmArenaOptions arena = {
      .alignment = rm_option_size(options, "alignment"),
      .lent_by_caller = rm_option_choice(options, "arena") == 1,
      .effort = (int)rm_option_int(options, "effort"),
      .copied = !rm_option_bool(options, "forward"),
      .apart = !rm_option_bool(options, "in-place"),
      .in_results = rm_option_choice(options, "scratch") == 1,
      .max_allocation = rm_option_size(options, "max-allocation")};
  return rm_lowering_to_arena(&arena);
}
