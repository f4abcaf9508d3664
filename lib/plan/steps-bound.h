/* lib/plan/steps-bound.h - what must be paid at several steps together. */
#ifndef RM_PLAN_STEPS_BOUND_H
#define RM_PLAN_STEPS_BOUND_H

#include "plan/cut-network.h"

typedef struct RmStepsBound {
  int32_t count, steps[RM_CUT_STEPS]; /* ascending */
  double price[RM_CUT_STEPS]; /* of a byte at each: where to start, and the best
                                 found */
  int64_t extra; /* no plan within the budget costs less beyond each op once */
  uint8_t *recomputed[RM_CUT_STEPS]; /* by op: 1 if the cheapest relaxed plan
                                        found runs it again after the step */
} RmStepsBound;

/* Improves the prices of `bound` for so many iterations, each a max-flow in a
 * network as many times as large as there are steps, or until it has looked at
 * `effort` arcs of it; the number is returned. At each step some plan must fit
 * (rm_min_cut_bound says so). */
int64_t rm_steps_bound(const RmGraph *graph, int64_t budget, bool fixed_order,
                       int32_t iterations, int64_t effort, RmStepsBound *bound,
                       RmPool *pool);

#endif
