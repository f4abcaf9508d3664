/* lib/plan/strategy.h - what a strategy is given and what it gives.
 *
 * A strategy sees a problem (a graph without views, in the order in which ops
 * first run) and returns a schedule of it that keeps this order. Only the
 * schedule is put into the pool it is given; what it works with is in branches
 * of that, gone when it returns. strategies.def lists the strategies; their
 * places there are the values of the option. */
#ifndef RM_PLAN_STRATEGY_H
#define RM_PLAN_STRATEGY_H

#include "plan/plan.h"

typedef struct RmProblem {
  const RmGraph *graph;
  const RmPlanOptions *options;
  const RmSchedule *seeds; /* good schedules known already */
  int32_t num_seeds;
  int64_t enough; /* a cost that no plan beats: found, the search is over */
} RmProblem;

typedef RmSchedule RmStrategyRun(const RmProblem *problem, RmPool *pool);

typedef struct RmStrategy {
  const char *name;
  RmStrategyRun *run;
  bool needs_budget; /* else it gives one plan by itself */
} RmStrategy;

#define STRATEGY(name, function, needs_budget) RmStrategyRun function;
#include "plan/strategies.def"

extern const RmStrategy rm_strategies[];
extern const int rm_num_strategies;

/* The search downward: from the first seed to ever smaller peaks, until one is
 * within the budget or at `floor`; their cost comes second. */
RmSchedule rm_search_descend(const RmProblem *problem, int64_t floor,
                             RmPool *pool);

/* The best of some plans: made with `problem` and `pool` alone. */
typedef struct RmBest {
  const RmProblem *problem;
  RmPool *pool; /* for scratch, and for the best so far */
  RmIntVec steps;
  RmMeasure measure;
  bool has_plan;
} RmBest;

/* Copies `schedule` if it is better; its measure. */
RmMeasure rm_best_offer(RmBest *best, const RmSchedule *schedule);

/* The best, in `pool`; program order if none was offered. */
RmSchedule rm_best_take(const RmBest *best, RmPool *pool);

/* By op: whether it belongs to the backward, that is from the loss on. The loss
 * is found by itself (border.c) unless the options name it. */
const uint8_t *rm_border_find(const RmGraph *graph,
                              const RmPlanOptions *options, RmPool *pool);

/* Runs forward ops again for the backward so that of the values they make only
 * those of ops with `saved` cross the border. */
RmSchedule rm_segment_schedule(const RmGraph *graph, const uint8_t *backward,
                               const uint8_t *saved, RmPool *pool);

#endif
