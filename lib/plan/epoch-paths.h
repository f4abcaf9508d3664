/* lib/plan/epoch-paths.h - what a relaxed plan does not see between epochs. */
#ifndef RM_PLAN_EPOCH_PATHS_H
#define RM_PLAN_EPOCH_PATHS_H

#include "graph/graph.h"
#include "plan/mip.h"

/* The programme of epochs.c; epoch k ends with step k. */
typedef struct RmEpochTable {
  const RmGraph *graph;
  RmMip *mip;
  int32_t count; /* of steps; there is one epoch more */
  const int32_t *steps;
  const int32_t *epoch; /* by op: in which it runs first */
  const int32_t *there; /* by value and epoch: its variable, -1: none */
  const int32_t *again; /* by op and epoch */
} RmEpochTable;

/* Adds rows that all plans meet and the relaxed programme does not, until it
 * costs `enough` or nothing more is gained. */
void rm_epoch_paths(const RmEpochTable *table, double enough, RmPool *pool);

#endif
