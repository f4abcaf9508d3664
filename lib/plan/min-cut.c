/* lib/plan/min-cut.c - what must be paid at one step: a bound and a plan. */

#include "plan/min-cut.h"
#include "plan/cut-price.h"

static RmCutBound bound_step(const RmGraph *g, int64_t budget, int32_t step,
                             bool fixed_order, RmPool *pool) {
  RmCutNetwork *n = rm_cut_network(g, budget, &step, 1, fixed_order, pool);
  RmCutPrice price = rm_cut_price(n, pool);
  RmCutBound bound = {price.feasible, price.cost * n->cost_unit, step,
                      RM_NEW_ARRAY(pool, uint8_t, g->ops.count),
                      n->flow->effort};
  for (size_t i = 0; i < n->nodes.count; ++i)
    if (n->nodes.items[i].op >= 0)
      bound.recomputed[n->nodes.items[i].op] = price.again[i];
  return bound;
}

RmCutBound rm_min_cut_bound(const RmGraph *g, int64_t budget, int32_t step,
                            RmPool *pool) {
  return bound_step(g, budget, step, true, pool);
}

RmCutBound rm_min_cut_bound_any_order(const RmGraph *g, int64_t budget,
                                      int32_t step, RmPool *pool) {
  return bound_step(g, budget, step, false, pool);
}

int64_t rm_min_cut_least_bytes(const RmGraph *g, int32_t step, bool fixed_order,
                               RmPool *pool) {
  RmCutNetwork *n = rm_cut_network(g, INT64_MAX, &step, 1, fixed_order, pool);
  int64_t bytes_only = 1;
  if (n->drains[0] == 0)
    return n->needed[0];
  return n->needed[0] + rm_cut_least(n, &bytes_only, 0) * n->byte_unit[0];
}
