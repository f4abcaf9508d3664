/* lib/plan/min-cut.c - what must be paid at one step: a bound and a plan. */

#include "plan/min-cut.h"
#include "plan/cut-price.h"

static RmCutBound bound_step(const RmGraph *g, int64_t budget, int32_t step,
                             bool fixed_order, RmPool *pool) {
  RmCutBound bound = {.step = step,
                      .recomputed = RM_NEW_ARRAY(pool, uint8_t, g->ops.count)};
  RmPool *scratch = rm_pool_branch(pool);
  RmCutNetwork *n = rm_cut_network(g, budget, &step, 1, fixed_order, scratch);
  RmCutPrice price = rm_cut_price(n, scratch);
  bound.feasible = price.feasible;
  bound.extra = price.cost * n->cost_unit;
  bound.effort = n->effort;
  for (size_t i = 0; i < n->nodes.count; ++i)
    if (n->nodes.items[i].op >= 0)
      bound.recomputed[n->nodes.items[i].op] = price.again[i];
  rm_pool_destroy(scratch);
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
  RmPool *scratch = rm_pool_branch(pool);
  RmCutNetwork *n =
      rm_cut_network(g, INT64_MAX, &step, 1, fixed_order, scratch);
  int64_t bytes_only = 1, bytes = n->needed[0];
  if (n->drains[0] > 0)
    bytes += rm_cut_least(n, &bytes_only, 0) * n->byte_unit[0];
  rm_pool_destroy(scratch);
  return bytes;
}
