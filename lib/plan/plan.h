/* lib/plan/plan.h - strategies: from a graph to a schedule within a budget.
 *
 * Strategies see a graph without views (rm_graph_without_views), so that every
 * value owns its storage, and return a schedule of it; rm_plan puts the views
 * back. Each strategy is one file and one row in strategies.def. */
#ifndef RM_PLAN_PLAN_H
#define RM_PLAN_PLAN_H

#include "graph/graph.h"
#include "plan/cost-bound.h"

#include <stdbool.h>
#include <stdint.h>

/* `auto`: the cheap strategies, then the search, then the best of all. The
 * others are places in strategies.def, found by name. */
enum { RM_STRATEGY_AUTO = -1 };

/* RM_STRATEGY_AUTO if no strategy has that name. */
int rm_strategy_find(const char *name);

/* Whether it aims at a budget or an overhead, or gives one plan by itself. */
bool rm_strategy_needs_budget(int strategy);

typedef struct RmPlanOptions {
  int64_t budget;    /* bytes; INT64_MAX if there is none */
  double overhead;   /* greatest extra cost, a fraction; negative: none */
  int strategy;      /* place in strategies.def */
  int32_t n;         /* for every-n */
  int effort;        /* 0..3 */
  double time_limit; /* seconds; 0: none */
  bool reorder;
  bool gives_up;         /* if nothing fits, does not look for the least peak */
  int32_t max_recompute; /* computations of one op; 0: unlimited */
  const uint8_t
      *border; /* by op: 1 if it belongs to the backward; null: find */
  const uint8_t *forced; /* by op: 1 if its values may not be held from the
                            forward into the backward; null: none */
} RmPlanOptions;

typedef struct RmPlanResult {
  RmSchedule schedule;
  RmMeasure measure;
  bool fits;
  int64_t cost_bound; /* no plan within the budget costs less; if none fits,
                         or there is none: within the plan's own peak */
  RmProof proof;      /* of cost_bound */
  int32_t *proof_ops; /* at whose first runs it holds, ascending */
  int32_t num_proof_ops;
  int64_t budget_bound; /* no plan has a smaller peak */
  int32_t bound_step;   /* the op whose step needs budget_bound */
} RmPlanResult;

/* The best verified plan; if none fits, the one with the least peak found. With
 * an overhead and no budget, the least peak found within that extra cost. */
RmPlanResult rm_plan(const RmGraph *graph, const RmPlanOptions *options,
                     RmPool *pool);

/* Sets the bounds of `result` for options->budget, without planning. */
void rm_plan_bound(const RmGraph *graph, const RmPlanOptions *options,
                   RmPlanResult *result, RmPool *pool);

#endif
