/* lib/plan/any-order.h - the best plan of a very small graph in any order. */
#ifndef RM_PLAN_ANY_ORDER_H
#define RM_PLAN_ANY_ORDER_H

#include "graph/graph.h"

typedef struct RmAnyOrder {
  RmSchedule schedule; /* null steps: none was found */
  bool proved;         /* it is the best, or none is within the budget */
} RmAnyOrder;

/* Whether there are few enough ops and values. */
bool rm_any_order_applies(const RmGraph *graph);

/* A graph without views. Gives up, unproved, after so many states, each of
 * some 150 bytes while it works. */
RmAnyOrder rm_any_order_plan(const RmGraph *graph, int64_t budget,
                             int32_t most_states, RmPool *pool);

#endif
