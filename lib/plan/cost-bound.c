/* lib/plan/cost-bound.c - a cost that no plan within the budget beats.
 *
 * The best of the bounds that are valid for the orders asked for. */

#include "plan/cost-bound.h"
#include "plan/budget-bound.h"
#include "plan/cut-branch.h"
#include "plan/min-cut.h"

/* By effort. */
static const int64_t branching[] = {1000000, 4000000, 200000000, 2000000000};
static const RmCutWork amounts[] = {
    {0, 0, 0}, {4, 20, 6000000}, {8, 40, 200000000}, {24, 100, 2000000000}};

/* Whole decisions where one step decides; false if no plan fits. */
static bool decide_wholly(const RmGraph *g, int64_t budget, int effort,
                          bool fixed_order, RmCutBest *cut, RmPool *pool) {
  int64_t extra = cut->step < 0
                      ? 0
                      : rm_cut_branch(g, budget, cut->step, fixed_order,
                                      branching[effort], pool);
  cut->extra = extra > cut->extra ? extra : cut->extra;
  return extra >= 0;
}

static RmCostBound find_bound(const RmGraph *g, int64_t budget,
                              bool fixed_order, int effort, RmPool *pool) {
  RmCostBound bound = {true, rm_graph_cost(g), -1};
  RmBudgetBound least = rm_budget_bound(g, fixed_order, effort, pool);
  if (least.bytes > budget)
    return (RmCostBound){false, bound.cost, least.step};
  RmCutBest cut = rm_min_cut_best(g, budget, fixed_order, 4, pool);
  if (cut.feasible)
    cut.feasible = decide_wholly(g, budget, effort, fixed_order, &cut, pool);
  if (cut.feasible)
    rm_min_cut_together(g, budget, fixed_order, amounts[effort], &cut, pool);
  bound.feasible = cut.feasible;
  bound.cost += cut.extra;
  bound.step = cut.step;
  return bound;
}

RmCostBound rm_cost_bound(const RmGraph *g, int64_t budget, bool fixed_order,
                          int effort, RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  RmCostBound bound = find_bound(g, budget, fixed_order, effort, scratch);
  rm_pool_destroy(scratch);
  return bound;
}
