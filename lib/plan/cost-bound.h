/* lib/plan/cost-bound.h - a cost that no plan within the budget beats. */
#ifndef RM_PLAN_COST_BOUND_H
#define RM_PLAN_COST_BOUND_H

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmCostBound {
  bool feasible; /* false: no plan fits the budget */
  int64_t cost;  /* of all steps; the cost of each op once at least */
  int32_t step;  /* the op at whose first run it was found, -1 if anywhere */
} RmCostBound;

/* Of a graph without views. With `fixed_order`, for plans whose first runs
 * follow program order; else for all plans. Work grows with `effort` (0..3). */
RmCostBound rm_cost_bound(const RmGraph *graph, int64_t budget,
                          bool fixed_order, int effort, RmPool *pool);

#endif
