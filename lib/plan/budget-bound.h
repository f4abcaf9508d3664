/* lib/plan/budget-bound.h - bytes that every plan needs at some step. */
#ifndef RM_PLAN_BUDGET_BOUND_H
#define RM_PLAN_BUDGET_BOUND_H

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmBudgetBound {
  int64_t bytes; /* no plan has a smaller peak */
  int32_t step;  /* the op at or before whose first run they are needed; -1
                    without ops */
} RmBudgetBound;

/* What one run of `op` reads, makes and works in, as far as it counts. */
int64_t rm_budget_own_bytes(const RmGraph *graph, int32_t op);

/* By op: that, and what cannot be made again and is read later in program
 * order. */
int64_t *rm_budget_step_bytes(const RmGraph *graph, RmPool *pool);

/* Of a graph without views. With `fixed_order`, of plans whose first runs
 * follow program order; else of all plans. Work grows with `effort` (0..3). */
RmBudgetBound rm_budget_bound(const RmGraph *graph, bool fixed_order,
                              int effort, RmPool *pool);

#endif
