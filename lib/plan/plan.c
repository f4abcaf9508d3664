/* lib/plan/plan.c - from a graph and a budget to the best verified plan.
 *
 *     views out -> orders -> auto, or one strategy -> views back -> verify
 *
 * Whatever a strategy returns is put back on the whole graph, verified and
 * measured there, and only then compared. */
#include "plan/budget-bound.h"
#include "plan/forced.h"
#include "plan/planning.h"
#include "plan/prune.h"

#include <assert.h>
#include <string.h>

const RmStrategy rm_strategies[] = {
#define STRATEGY(name, function, needs_budget) {name, function, needs_budget},
#include "plan/strategies.def"
};

const int rm_num_strategies = sizeof rm_strategies / sizeof *rm_strategies;

int rm_strategy_find(const char *name) {
  for (int i = 0; i < rm_num_strategies; ++i)
    if (!strcmp(rm_strategies[i].name, name))
      return i;
  return RM_STRATEGY_AUTO;
}

bool rm_strategy_needs_budget(int strategy) {
  return strategy == RM_STRATEGY_AUTO || rm_strategies[strategy].needs_budget;
}

/*===-- Comparing ---------------------------------------------------------===*/

static bool fits(const RmPlanning *p, const RmMeasure *m) {
  return m->peak <= p->options.budget;
}

bool rm_planning_is_better(const RmPlanning *p, const RmMeasure *a,
                           const RmMeasure *b) {
  bool a_fits = fits(p, a), b_fits = fits(p, b);
  if (a_fits != b_fits)
    return a_fits;
  if (!a_fits && a->peak != b->peak)
    return a->peak < b->peak;
  if (a->cost != b->cost)
    return a->cost < b->cost;
  if (a->extra != b->extra)
    return a->extra < b->extra;
  return a->peak < b->peak;
}

/* By op: how often it runs. */
static int32_t *count_runs(const RmGraph *graph, const RmSchedule *schedule,
                           RmPool *pool) {
  int32_t *runs = RM_NEW_ARRAY(pool, int32_t, graph->ops.count);
  for (int32_t i = 0; i < schedule->count; ++i)
    ++runs[schedule->steps[i]];
  return runs;
}

static bool repeats_too_often(const RmPlanning *p, const RmSchedule *schedule,
                              RmPool *scratch) {
  int32_t most = p->options.max_recompute;
  if (!most)
    return false;
  const int32_t *runs = count_runs(p->graph, schedule, scratch);
  for (size_t i = 0; i < p->graph->ops.count; ++i) {
    const RmOp *op = &p->graph->ops.items[i];
    bool is_view = op->num_results > 0 &&
                   p->graph->values.items[op->first_result].alias >= 0;
    if (runs[i] > most && !is_view)
      return true;
  }
  return false;
}

/* Of plans that are equally good, whether what `a` runs again comes earlier. */
static bool is_earlier(const RmPlanning *p, const RmSchedule *a,
                       const RmSchedule *b, RmPool *scratch) {
  const int32_t *of_a = count_runs(p->graph, a, scratch);
  const int32_t *of_b = count_runs(p->graph, b, scratch);
  for (size_t op = 0; op < p->graph->ops.count; ++op)
    if (of_a[op] != of_b[op])
      return of_a[op] > of_b[op];
  return false;
}

static bool is_best_so_far(const RmPlanning *p, const RmSchedule *schedule,
                           const RmMeasure *measure, RmPool *scratch) {
  if (!p->has_plan || rm_planning_is_better(p, measure, &p->best.measure))
    return true;
  return !rm_planning_is_better(p, &p->best.measure, measure) &&
         is_earlier(p, schedule, &p->best.schedule, scratch);
}

/* Takes a schedule of the whole graph if it is the best so far. */
static void offer(RmPlanning *p, RmSchedule schedule, RmPool *scratch) {
  rm_schedule_prune(p->graph, &schedule, scratch);
  const char *wrong =
      rm_schedule_verify(p->graph, &schedule, !p->options.reorder, scratch);
  assert(!wrong && "a strategy returned an invalid schedule");
  if (wrong || repeats_too_often(p, &schedule, scratch))
    return;
  RmMeasure measure = rm_schedule_measure(p->graph, &schedule, scratch);
  if (!is_best_so_far(p, &schedule, &measure, scratch))
    return;
  p->best.schedule = rm_schedule_copy(&schedule, p->pool);
  p->best.measure = measure;
  p->best.fits = fits(p, &measure);
  p->has_plan = true;
}

/*===-- Orders ------------------------------------------------------------===*/

const RmGraph *rm_planning_graph(RmPlanning *p, int order) {
  if (order == 0)
    return p->flat.graph;
  if (!p->ordered[order])
    p->ordered[order] = rm_order_apply(p->flat.graph, p->orders[order],
                                       rm_pool_branch(p->pool));
  return p->ordered[order];
}

void rm_planning_forget(RmPlanning *p, int order) {
  if (p->ordered[order])
    rm_pool_destroy(p->ordered[order]->pool);
  p->ordered[order] = NULL;
}

/* From numbers in that order to the whole graph's. */
static RmSchedule to_whole(const RmPlanning *p, int order,
                           const RmSchedule *found, RmPool *pool) {
  RmSchedule flat = {RM_NEW_ARRAY(pool, int32_t, found->count), found->count};
  for (int32_t i = 0; i < found->count; ++i)
    flat.steps[i] = p->orders[order][found->steps[i]];
  if (p->forced)
    flat =
        rm_force_recompute(p->flat.graph, &flat, p->forced, p->backward, pool);
  return rm_flat_expand(&p->flat, &flat, pool);
}

void rm_planning_offer(RmPlanning *p, int order, const RmSchedule *found) {
  RmPool *scratch = rm_pool_branch(p->pool);
  offer(p, to_whole(p, order, found, scratch), scratch);
  rm_pool_destroy(scratch);
}

RmSchedule rm_planning_run(RmPlanning *p, int strategy, int order,
                           const RmSchedule *seeds, int32_t num_seeds,
                           RmPool *pool) {
  RmProblem problem = {.graph = rm_planning_graph(p, order),
                       .options = &p->options,
                       .seeds = seeds,
                       .num_seeds = num_seeds,
                       .enough = p->best.cost_bound};
  RmSchedule found = rm_strategies[strategy].run(&problem, pool);
  rm_planning_offer(p, order, &found);
  return found;
}

/*===-- Bounds ------------------------------------------------------------===*/

static void find_budget_bound(RmPlanning *p) {
  RmBudgetBound bound = rm_budget_bound(p->flat.graph, !p->options.reorder,
                                        p->options.effort, p->pool);
  p->best.budget_bound = bound.bytes;
  p->best.bound_step = bound.step < 0 ? -1 : p->flat.whole_op[bound.step];
}

static void take_cost_bound(RmPlanning *p, const RmCostBound *bound) {
  p->best.cost_bound = bound->cost;
  p->best.proof = bound->proof;
  p->best.num_proof_ops = bound->count;
  p->best.proof_ops = RM_NEW_ARRAY(p->pool, int32_t, bound->count);
  for (int32_t i = 0; i < bound->count; ++i)
    p->best.proof_ops[i] = p->flat.whole_op[bound->steps[i]];
}

static void find_cost_bound(RmPlanning *p, int64_t budget) {
  p->flat_bound = rm_cost_bound(p->flat.graph, budget, !p->options.reorder,
                                p->options.effort, p->pool);
  take_cost_bound(p, &p->flat_bound);
}

/* At the most effort a solver has the last word. */
static void ask_solver(RmPlanning *p) {
  if (p->options.effort < 3 || p->options.reorder || rm_planning_is_proved(p) ||
      !p->best.fits)
    return;
  rm_cost_prove(p->flat.graph, p->options.budget, p->best.measure.cost,
                &p->flat_bound, p->pool);
  if (p->flat_bound.cost > p->best.cost_bound)
    take_cost_bound(p, &p->flat_bound);
}

void rm_plan_bound(const RmGraph *graph, const RmPlanOptions *options,
                   RmPlanResult *result, RmPool *pool) {
  RmPlanning p = {.graph = graph, .options = *options, .pool = pool};
  p.flat = rm_flat_create(graph, pool);
  find_budget_bound(&p);
  result->budget_bound = p.best.budget_bound;
  result->bound_step = p.best.bound_step;
  find_cost_bound(&p, options->budget);
  result->cost_bound = p.best.cost_bound;
  result->proof = p.best.proof;
  result->proof_ops = p.best.proof_ops;
  result->num_proof_ops = p.best.num_proof_ops;
}

/*===-- The door ----------------------------------------------------------===*/

static void carry_forced(RmPlanning *p) {
  size_t count = p->flat.graph->ops.count;
  if (!p->options.forced)
    return;
  p->forced = RM_NEW_ARRAY(p->pool, uint8_t, count);
  p->backward = RM_NEW_ARRAY(p->pool, uint8_t, count);
  const uint8_t *backward = rm_border_find(p->graph, &p->options, p->pool);
  for (size_t op = 0; op < count; ++op) {
    p->forced[op] = p->options.forced[p->flat.whole_op[op]];
    p->backward[op] = backward[p->flat.whole_op[op]];
  }
}

RmPlanning rm_planning_begin(const RmGraph *graph, const RmPlanOptions *options,
                             RmPool *pool) {
  RmPlanning p = {.graph = graph, .options = *options, .pool = pool};
  p.flat = rm_flat_create(graph, pool);
  p.num_orders = 1;
  if (options->reorder)
    p.num_orders = rm_order_candidates(p.flat.graph, p.orders, pool);
  else
    p.orders[0] = rm_schedule_identity(p.flat.graph, pool).steps;
  carry_forced(&p);
  find_budget_bound(&p);
  p.options.border = NULL; /* was for the whole graph, in its own order */
  return p;
}

static void offer_unchanged(RmPlanning *p) {
  RmPool *scratch = rm_pool_branch(p->pool);
  RmSchedule flat = rm_schedule_identity(p->flat.graph, scratch);
  offer(p,
        p->forced ? to_whole(p, 0, &flat, scratch)
                  : rm_schedule_identity(p->graph, scratch),
        scratch);
  rm_pool_destroy(scratch);
}

static void run(RmPlanning *p) {
  if (!rm_strategy_needs_budget(p->options.strategy)) {
    rm_auto_run_named(p, p->options.strategy);
    return;
  }
  if (p->options.budget == INT64_MAX && p->options.overhead >= 0) {
    double cost = (double)rm_graph_cost(p->graph);
    rm_planning_least_within_cost(p,
                                  (int64_t)(cost * (1 + p->options.overhead)));
    return;
  }
  offer_unchanged(p);
  if (p->best.fits)
    return;
  find_cost_bound(p, p->options.budget);
  if (p->options.strategy != RM_STRATEGY_AUTO) {
    rm_auto_run_named(p, p->options.strategy);
    return;
  }
  if (p->options.budget >= p->best.budget_bound || p->options.gives_up)
    rm_auto_run(p, rm_auto_breadth(p));
  ask_solver(p);
  if (!p->best.fits && !p->options.gives_up)
    rm_planning_least(p);
}

/* Where every plan runs some op too often the program stays as it is. */
static void keep_program(RmPlanning *p) {
  p->best.schedule = rm_schedule_identity(p->graph, p->pool);
  p->best.measure = rm_schedule_measure(p->graph, &p->best.schedule, p->pool);
  p->best.fits = fits(p, &p->best.measure);
}

RmPlanResult rm_planning_solve(RmPlanning *p) {
  int64_t cost = rm_graph_cost(p->graph);
  p->best.cost_bound = cost;
  run(p);
  if (!p->has_plan)
    keep_program(p);
  if (!p->best.fits || p->best.cost_bound == cost)
    find_cost_bound(p, p->best.fits && p->options.budget < INT64_MAX
                           ? p->options.budget
                           : p->best.measure.peak);
  return p->best;
}

void rm_planning_turn_to(RmPlanning *p, int64_t budget) {
  p->options.budget = budget;
  p->options.overhead = -1;
  p->is_squeezing = p->has_plan = false;
  p->best = (RmPlanResult){.budget_bound = p->best.budget_bound,
                           .bound_step = p->best.bound_step};
}

RmPlanResult rm_plan(const RmGraph *graph, const RmPlanOptions *options,
                     RmPool *pool) {
  RmPlanning p = rm_planning_begin(graph, options, pool);
  return rm_planning_solve(&p);
}
