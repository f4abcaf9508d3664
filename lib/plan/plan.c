/* lib/plan/plan.c - from a graph and a budget to the best verified plan.
 *
 *     views out -> orders -> cheap strategies -> search -> views back -> verify
 *
 * Whatever a strategy returns is put back on the whole graph, verified and
 * measured there, and only then compared. */
#include "plan/order.h"
#include "plan/strategy.h"
#include "plan/views.h"

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

typedef struct Planning {
  const RmGraph *graph;
  RmPlanOptions options;
  RmPool *pool;
  RmFlat flat;
  int32_t *orders[RM_NUM_ORDERS];
  RmGraph *ordered[RM_NUM_ORDERS]; /* made when first asked for */
  int num_orders;
  RmPlanResult best;
  bool has_plan;
} Planning;

/*===-- Comparing ---------------------------------------------------------===*/

static bool fits(const Planning *p, const RmMeasure *m) {
  return m->peak <= p->options.budget;
}

/* Within the budget first, then cost, then fewer recomputations, then bytes;
 * outside the budget bytes first. */
static bool is_better(const Planning *p, const RmMeasure *a,
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

/* Takes a schedule of the whole graph if it is the best so far. */
static void offer(Planning *p, RmSchedule schedule) {
  const char *wrong =
      rm_schedule_verify(p->graph, &schedule, !p->options.reorder, p->pool);
  assert(!wrong && "a strategy returned an invalid schedule");
  if (wrong)
    return;
  RmMeasure measure = rm_schedule_measure(p->graph, &schedule, p->pool);
  if (p->has_plan && !is_better(p, &measure, &p->best.measure))
    return;
  p->best.schedule = schedule;
  p->best.measure = measure;
  p->best.fits = fits(p, &measure);
  p->has_plan = true;
}

/*===-- Orders ------------------------------------------------------------===*/

static const RmGraph *graph_in_order(Planning *p, int order) {
  if (order == 0)
    return p->flat.graph;
  if (!p->ordered[order])
    p->ordered[order] =
        rm_order_apply(p->flat.graph, p->orders[order], p->pool);
  return p->ordered[order];
}

/* From numbers in that order to the whole graph's. */
static RmSchedule to_whole(Planning *p, int order, const RmSchedule *found) {
  RmSchedule flat = {RM_NEW_ARRAY(p->pool, int32_t, found->count),
                     found->count};
  for (int32_t i = 0; i < found->count; ++i)
    flat.steps[i] = p->orders[order][found->steps[i]];
  return rm_flat_expand(&p->flat, &flat, p->pool);
}

static RmSchedule run_strategy(Planning *p, int strategy, int order,
                               const RmSchedule *seeds, int32_t num_seeds) {
  RmProblem problem = {.graph = graph_in_order(p, order),
                       .options = &p->options,
                       .seeds = seeds,
                       .num_seeds = num_seeds};
  RmSchedule found = rm_strategies[strategy].run(&problem, p->pool);
  offer(p, to_whole(p, order, &found));
  return found;
}

/*===-- auto --------------------------------------------------------------===*/

enum { MOST_SEEDS = 8 };

typedef struct Seeds {
  RmSchedule schedules[MOST_SEEDS];
  int32_t count;
} Seeds;

/* The cheap strategies in one order: each is a candidate and a seed. */
static Seeds run_cheap(Planning *p, int order) {
  Seeds seeds = {0};
  for (int i = 0; i < rm_num_strategies; ++i)
    if (rm_strategies[i].run != rm_strategy_search &&
        rm_strategies[i].run != rm_strategy_every_n)
      seeds.schedules[seeds.count++] = run_strategy(p, i, order, NULL, 0);
  return seeds;
}

/* Which order serves the cheap strategies best, and their plans there. */
static int choose_order(Planning *p, Seeds *seeds) {
  int best = 0;
  for (int order = 0; order < p->num_orders; ++order) {
    RmMeasure before = p->best.measure;
    bool had_plan = p->has_plan;
    Seeds tried = run_cheap(p, order);
    if (had_plan && !is_better(p, &p->best.measure, &before))
      continue;
    best = order;
    *seeds = tried;
  }
  return best;
}

static bool is_free(const Planning *p) {
  return p->best.fits && p->best.measure.extra == 0;
}

/* One strategy by name, in the order that serves it best if it has a goal. */
static void run_named(Planning *p, int strategy) {
  int orders = rm_strategies[strategy].needs_budget ? p->num_orders : 1;
  int greedy = rm_strategy_find("greedy");
  for (int order = 0; order < orders; ++order) {
    if (strategy == greedy || !rm_strategies[strategy].needs_budget) {
      run_strategy(p, strategy, order, NULL, 0);
      continue;
    }
    RmSchedule seed = run_strategy(p, greedy, order, NULL, 0);
    run_strategy(p, strategy, order, &seed, 1);
  }
}

static void run_auto(Planning *p) {
  Seeds seeds = {0};
  int order = choose_order(p, &seeds);
  if (is_free(p))
    return;
  run_strategy(p, rm_strategy_find("search"), order, seeds.schedules,
               seeds.count);
}

/*===-- Bounds ------------------------------------------------------------===*/

/* What one op needs at its own step, in whatever order. */
static int64_t working_set(const RmGraph *g, int32_t op) {
  const RmOp *info = &g->ops.items[op];
  int64_t bytes = info->workspace;
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    const RmValue *v = &g->values.items[rm_op_inputs(g, op)[i]];
    bytes += v->counted && v->op >= 0 ? v->bytes : 0;
  }
  for (int32_t i = 0; i < info->num_results; ++i) {
    const RmValue *v = &g->values.items[info->first_result + i];
    bytes += v->counted ? v->bytes : 0;
  }
  return bytes;
}

static void find_bounds(Planning *p) {
  p->best.cost_bound =
      rm_schedule_measure(
          p->graph,
          &(RmSchedule){rm_schedule_identity(p->graph, p->pool).steps,
                        (int32_t)p->graph->ops.count},
          p->pool)
          .cost;
  p->best.bound_step = -1;
  for (int32_t op = 0; op < (int32_t)p->flat.graph->ops.count; ++op) {
    int64_t bytes = working_set(p->flat.graph, op);
    if (bytes <= p->best.budget_bound)
      continue;
    p->best.budget_bound = bytes;
    p->best.bound_step = p->flat.whole_op[op];
  }
}

/*===-- The smallest that fits --------------------------------------------===*/

/* Halves the distance between the bound and the best so far. */
static void squeeze(Planning *p) {
  int64_t wanted = p->options.budget, low = p->best.budget_bound;
  for (int i = 0; i < 8 && !p->best.fits; ++i) {
    int64_t high = p->best.measure.peak;
    low = wanted > low ? wanted : low;
    p->options.budget = low + (high - low) / 2;
    p->best.fits = false;
    run_auto(p);
    if (p->best.measure.peak > p->options.budget)
      low = p->options.budget;
    p->best.fits = p->best.measure.peak <= wanted;
  }
  p->options.budget = wanted;
}

/*===-- The door ----------------------------------------------------------===*/

static Planning begin(const RmGraph *graph, const RmPlanOptions *options,
                      RmPool *pool) {
  Planning p = {.graph = graph, .options = *options, .pool = pool};
  p.flat = rm_flat_create(graph, pool);
  p.num_orders = options->reorder ? RM_NUM_ORDERS : 1;
  if (options->reorder)
    rm_order_candidates(p.flat.graph, p.orders, pool);
  else
    p.orders[0] = rm_schedule_identity(p.flat.graph, pool).steps;
  return p;
}

RmPlanResult rm_plan(const RmGraph *graph, const RmPlanOptions *options,
                     RmPool *pool) {
  Planning p = begin(graph, options, pool);
  bool is_auto = options->strategy == RM_STRATEGY_AUTO;
  find_bounds(&p);
  if (is_auto || rm_strategies[options->strategy].needs_budget)
    offer(&p, rm_schedule_identity(graph, pool));
  if (p.has_plan && p.best.fits)
    return p.best;
  if (is_auto)
    run_auto(&p);
  else
    run_named(&p, options->strategy);
  if (is_auto && !p.best.fits)
    squeeze(&p);
  return p.best;
}
