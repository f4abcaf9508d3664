/* lib/plan/order.h - the order of first computations.
 *
 * Moving ops is free, so it comes before recomputing. Several orders are
 * tried and the planner keeps what serves it best; none of them wins
 * everywhere. */
#ifndef RM_PLAN_ORDER_H
#define RM_PLAN_ORDER_H

#include "graph/graph.h"

/* A copy of `graph` whose ops stand in `order`, which must respect all reads;
 * op i of the copy is order[i]. */
RmGraph *rm_order_apply(const RmGraph *graph, const int32_t *order,
                        RmPool *pool);

enum { RM_MOST_ORDERS = 20 };

/* The orders tried: program order first, then others, which may be equal; fewer
 * on large graphs. Returns how many. */
int rm_order_candidates(const RmGraph *graph, int32_t *orders[RM_MOST_ORDERS],
                        RmPool *pool);

#endif
