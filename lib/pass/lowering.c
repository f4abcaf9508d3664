/* lib/pass/lowering.c - the passes from tensors to one arena, as text.
 *
 * No `cse` and no canonicalizer runs on tensors: both may merge or move what
 * the planner put where it is. After bufferization they are harmless, and
 * needed: they fold what loops and branches yield into the buffers that stand
 * outside, so that these are seen as the results. Fences and checkpoints of
 * scalars, which have no buffers, are taken out by then. */

#include "pass/lowering.h"

#include "pass/pipelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char to_memrefs[] =
    "remat-inline-calls,remat-protect-arguments,remat-unshare-inits,"
    "remat-carry-in-place,"
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map},"
    "remat-lower,canonicalize,cse,remat-lend-results,";

char *rm_lowering_to_arena(const char *options) {
  size_t room = sizeof to_memrefs + strlen(options) + 32;
  char *text = malloc(room);
  if (text)
    snprintf(text, room, "%sremat-plan-memory{%s}", to_memrefs, options);
  return text;
}

char *rm_pipeline_to_arena(RmPassRun *options, char *error, int room) {
  (void)error, (void)room; /* the pass refuses what is wrong */
  char *given = rm_options_print(options);
  char *text = given ? rm_lowering_to_arena(given) : NULL;
  free(given);
  return text;
}
