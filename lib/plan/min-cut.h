/* lib/plan/min-cut.h - what must be paid at one step: a bound and a plan.
 *
 * When op `step` runs for the first time, each value that was made before and
 * is read after is either held, which takes its bytes of the budget, or made
 * again later, which takes its op's cost and what that op reads. With a price
 * on a byte the cheapest choice is a least cut, and the best price gives the
 * bound.
 *
 * The graph has no views. Costs of a graph add up to less than 2^59. */
#ifndef RM_PLAN_MIN_CUT_H
#define RM_PLAN_MIN_CUT_H

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmCutBound {
  bool feasible;       /* false: no plan fits the budget at this step */
  int64_t extra;       /* no plan that fits costs less beyond each op once */
  int32_t step;        /* the op at whose first run this holds */
  uint8_t *recomputed; /* by op: 1 if the relaxed plan runs it after `step` */
  int64_t effort;      /* arcs of the network looked at, some 10 ns each */
} RmCutBound;

/* Valid for plans whose first runs follow program order. */
RmCutBound rm_min_cut_bound(const RmGraph *graph, int64_t budget, int32_t step,
                            RmPool *pool);

/* Valid for every order: only what `step` needs, directly or not, was certainly
 * made before it, and only what needs `step` certainly runs after it; what runs
 * either before or after it may run after it for nothing. */
RmCutBound rm_min_cut_bound_any_order(const RmGraph *graph, int64_t budget,
                                      int32_t step, RmPool *pool);

/* Bytes that are there when `step` runs first, whatever is made again. */
int64_t rm_min_cut_least_bytes(const RmGraph *graph, int32_t step,
                               bool fixed_order, RmPool *pool);

enum { RM_CUT_STEPS = 24 }; /* at most, in one network */

typedef struct RmCutBest {
  bool feasible; /* false: no plan fits; `step` is where */
  int64_t extra; /* the greatest bound of the steps tried */
  int32_t step;  /* where one step alone gives most; -1 if the budget is never
                    passed */
  int32_t count, steps[RM_CUT_STEPS]; /* that give `extra` together */
  RmSchedule plan;   /* a start for a search; it need not fit */
  RmMeasure measure; /* of the plan */
} RmCutBest;

/* Tries the fullest step of program order, drops what its cut drops, goes on
 * with the fullest of what remains, at most `tries` times. Without
 * `fixed_order` the bound, not the plan, is that for every order. */
RmCutBest rm_min_cut_best(const RmGraph *graph, int64_t budget,
                          bool fixed_order, int32_t tries, RmPool *pool);

/* Improves the bound, and perhaps the plan, by cuts at several steps together,
 * beginning with `best->step`: at each try the fullest step of the plan joins,
 * and prices improve for some iterations. */
typedef struct RmCutWork {
  int32_t tries, iterations;
  int64_t effort; /* as in RmCutBound; the end of all tries */
} RmCutWork;
void rm_min_cut_together(const RmGraph *graph, int64_t budget, bool fixed_order,
                         RmCutWork work, RmCutBest *best, RmPool *pool);

#endif
