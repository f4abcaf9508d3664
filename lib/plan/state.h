/* lib/plan/state.h - a schedule under change, with its live bytes.
 *
 * The order of first computations is fixed: op t is base step t. A
 * recomputation (u, t) runs op u once more right before base step t; those of
 * one t form the region of t, run in program order, and end with t itself.
 * Every schedule that keeps the order of first computations and recomputes
 * nothing twice without a base step in between has this form, so nothing better
 * is lost.
 *
 * Of each value we keep the regions that make it and those that read it, both
 * sorted. An instance lives from the region that makes it to the last region
 * that reads it before the next one that makes it: in a region where it is made
 * and read all reads come after, for readers have higher numbers than what they
 * read. In the regions strictly between it adds its bytes evenly, so inserting
 * or deleting a recomputation costs one range addition per value touched; only
 * the regions at the ends are counted anew, step by step.
 *
 * Invariants: over[t] = bytes at the fullest step of region t, less the budget;
 * area = sum of the positive over[t]. Checked against rm_schedule_measure by
 * rm_state_check. */
#ifndef RM_PLAN_STATE_H
#define RM_PLAN_STATE_H

#include "graph/graph.h"

typedef struct RmRegions {
  int32_t *at; /* sorted region numbers; readers may repeat */
  int32_t count, capacity;
} RmRegions;

typedef struct RmRerun {
  int32_t op, region;
} RmRerun;

typedef struct RmState {
  const RmGraph *graph;
  RmPool *pool;
  int32_t count; /* base steps */
  int64_t budget;
  int64_t *over;  /* by region */
  int64_t *local; /* by region: bytes of what starts or ends there */
  int64_t area, cost;
  RM_VEC(RmRerun) reruns; /* all recomputations now, in no order */
  RmRegions *makes;       /* by op: its regions, the first is its own */
  RmRegions *reads;       /* by counted value */
  RmRegions *region;      /* by region: recomputed ops, sorted */
  RmRegions *where;       /* alongside: their places in `reruns` */
  int64_t work;           /* counted effort so far */
  /* Scratch of the recount. */
  uint32_t *stamp, now;
  RmIntVec dirty; /* regions to count anew */
} RmState;

RmState *rm_state_create(const RmGraph *graph, int64_t budget, RmPool *pool);

/* Another budget for the same schedule. */
void rm_state_set_budget(RmState *state, int64_t budget);

/* Runs `op` again before base step `region` > op; it must not be there yet. */
void rm_state_insert(RmState *state, int32_t op, int32_t region);
void rm_state_remove(RmState *state, int32_t op, int32_t region);
bool rm_state_has(const RmState *state, int32_t op, int32_t region);

/* The instance of `value` that a reader in `region` sees. */
typedef struct RmSpan {
  int32_t made, last; /* regions; last == made if nothing reads it */
} RmSpan;
RmSpan rm_state_span(const RmState *state, int32_t value, int32_t region);

/* The first region after `region` in which an instance alive there is read
 * again, or -1. */
int32_t rm_state_next_read(const RmState *state, int32_t value, int32_t region);

/* Whether the run of `op` in `region` has no reader. */
bool rm_state_is_useless(const RmState *state, int32_t op, int32_t region);

/* The region with the most bytes, the first of equals. */
int32_t rm_state_fullest(const RmState *state);

RmSchedule rm_state_schedule(const RmState *state, RmPool *pool);

/* Makes the recomputations those of `schedule`, whose first computations must
 * follow program order; recomputations that no region form has are dropped. */
void rm_state_load(RmState *state, const RmSchedule *schedule);

/* Recounts from nothing and compares; for assertions and tests. */
bool rm_state_check(const RmState *state, RmPool *pool);

#endif
