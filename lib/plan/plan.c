/* lib/plan/plan.c - from a graph and a budget to the best verified plan.
 *
 *     views out -> orders -> cheap strategies -> search -> views back -> verify
 *
 * Whatever a strategy returns is put back on the whole graph, verified and
 * measured there, and only then compared. */
#include "plan/any-order.h"
#include "plan/budget-bound.h"
#include "plan/cost-bound.h"
#include "plan/exact.h"
#include "plan/forced.h"
#include "plan/min-cut.h"
#include "plan/order.h"
#include "plan/prune.h"
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

bool rm_strategy_needs_budget(int strategy) {
  return strategy == RM_STRATEGY_AUTO || rm_strategies[strategy].needs_budget;
}

typedef struct Planning {
  const RmGraph *graph;
  RmPlanOptions options;
  RmPool *pool;
  RmFlat flat;
  uint8_t *forced, *backward; /* by flat op; null without forced ones */
  int32_t *orders[RM_MOST_ORDERS];
  RmGraph *ordered[RM_MOST_ORDERS]; /* made when first asked for */
  RmSchedule found[RM_MOST_ORDERS]; /* by the last search in it, if any */
  int num_orders, best_order;
  bool is_squeezing; /* many budgets are tried: none is worth a proof */
  RmPlanResult best;
  RmCostBound flat_bound; /* behind best.cost_bound, in the flat graph */
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

static bool repeats_too_often(const Planning *p, const RmSchedule *schedule) {
  int32_t most = p->options.max_recompute;
  int32_t *runs = RM_NEW_ARRAY(p->pool, int32_t, p->graph->ops.count);
  for (int32_t i = 0; most && i < schedule->count; ++i) {
    const RmOp *op = &p->graph->ops.items[schedule->steps[i]];
    bool is_view = op->num_results > 0 &&
                   p->graph->values.items[op->first_result].alias >= 0;
    if (++runs[schedule->steps[i]] > most && !is_view)
      return true;
  }
  return false;
}

/* Takes a schedule of the whole graph if it is the best so far. */
static void offer(Planning *p, RmSchedule schedule) {
  rm_schedule_prune(p->graph, &schedule, p->pool);
  const char *wrong =
      rm_schedule_verify(p->graph, &schedule, !p->options.reorder, p->pool);
  assert(!wrong && "a strategy returned an invalid schedule");
  if (wrong || repeats_too_often(p, &schedule))
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
  if (p->forced)
    flat = rm_force_recompute(p->flat.graph, &flat, p->forced, p->backward,
                              p->pool);
  return rm_flat_expand(&p->flat, &flat, p->pool);
}

static RmSchedule run_strategy(Planning *p, int strategy, int order,
                               const RmSchedule *seeds, int32_t num_seeds) {
  RmProblem problem = {.graph = graph_in_order(p, order),
                       .options = &p->options,
                       .seeds = seeds,
                       .num_seeds = num_seeds,
                       .enough = p->best.cost_bound};
  RmSchedule found = rm_strategies[strategy].run(&problem, p->pool);
  int64_t peak = p->best.measure.peak;
  offer(p, to_whole(p, order, &found));
  if (p->best.measure.peak != peak)
    p->best_order = order;
  return found;
}

/*===-- auto --------------------------------------------------------------===*/

enum {
  MOST_SEEDS = 12,
  CUT_TRIES = 4,
  MOST_OPS_FOR_GREEDY = 4000,
  FEW_OPS = 24, /* solved before they are searched */
  FEW_ORDERS = 2,
  MANY_ORDERS = 16 /* of graphs that are not large */
};

typedef struct Seeds {
  RmSchedule schedules[MOST_SEEDS];
  int32_t count;
} Seeds;

/* What the min cut says of an order: no plan in it costs less extra. */
typedef struct Outlook {
  RmCutBest cut;
  int64_t peak; /* nothing recomputed */
} Outlook;

static bool is_brighter(const Outlook *a, const Outlook *b) {
  if (a->cut.feasible != b->cut.feasible)
    return a->cut.feasible;
  if (a->cut.extra != b->cut.extra)
    return a->cut.extra < b->cut.extra;
  return a->peak < b->peak;
}

static Outlook look_at(Planning *p, int order) {
  const RmGraph *graph = graph_in_order(p, order);
  RmSchedule all = rm_schedule_identity(graph, p->pool);
  Outlook outlook = {.peak = rm_schedule_measure(graph, &all, p->pool).peak};
  outlook.cut =
      rm_min_cut_best(graph, p->options.budget, true, CUT_TRIES, p->pool);
  offer(p, to_whole(p, order, &all));
  return outlook;
}

/* The orders, the most promising first. */
static void rank_orders(Planning *p, int *ranked, Outlook *outlooks) {
  for (int order = 0; order < p->num_orders; ++order) {
    outlooks[order] = look_at(p, order);
    int at = order;
    for (; at && is_brighter(&outlooks[order], &outlooks[ranked[at - 1]]); --at)
      ranked[at] = ranked[at - 1];
    ranked[at] = order;
  }
}

/* The cheap strategies in one order: each is a candidate and a seed. Greedy
 * from nothing takes long on large graphs, where the cut is the better start.
 */
static Seeds run_cheap(Planning *p, int order, const RmSchedule *cut) {
  Seeds seeds = {0};
  bool is_small = p->flat.graph->ops.count <= MOST_OPS_FOR_GREEDY;
  int greedy = rm_strategy_find("greedy");
  static const char *const names[] = {"recompute-all", "sqrt-n"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    seeds.schedules[seeds.count++] =
        run_strategy(p, rm_strategy_find(names[i]), order, NULL, 0);
  if (cut->steps)
    seeds.schedules[seeds.count++] = run_strategy(p, greedy, order, cut, 1);
  if (is_small || !cut->steps)
    seeds.schedules[seeds.count++] = run_strategy(p, greedy, order, NULL, 0);
  return seeds;
}

static bool is_proved(const Planning *p) {
  return p->best.fits && p->best.measure.cost <= p->best.cost_bound;
}

static bool is_free(const Planning *p) {
  return p->best.fits && p->best.measure.extra == 0;
}

/* What solves small graphs knows nothing of limits on runs. */
static bool is_limited(const Planning *p) {
  return p->forced || p->options.max_recompute;
}

/* Where ops may be moved very small graphs are solved in every order. Whether
 * there is no more to be found. */
static bool solve_any_order(Planning *p) {
  static const int32_t states[] = {3000, 30000, 200000, 400000};
  if (!p->options.reorder || !rm_any_order_applies(p->flat.graph))
    return false;
  RmAnyOrder found = rm_any_order_plan(p->flat.graph, p->options.budget,
                                       states[p->options.effort], p->pool);
  int64_t bound = p->options.budget + 1;
  if (found.proved && !found.schedule.steps && bound > p->best.budget_bound)
    p->best.budget_bound = bound;
  if (!found.schedule.steps)
    return found.proved && !is_limited(p);
  int64_t cost =
      rm_schedule_measure(p->flat.graph, &found.schedule, p->pool).cost;
  offer(p, to_whole(p, 0, &found.schedule));
  if (!p->is_squeezing && cost > p->best.cost_bound) {
    p->best.cost_bound = cost;
    p->best.proof = RM_PROOF_SEARCH;
    p->best.num_proof_ops = 0;
  }
  return !is_limited(p);
}

/* Solves the graph in this order; in a fixed order the proof is a bound for all
 * plans. Whether there is no more to be found. */
static bool prove(Planning *p, int order, const RmSchedule *seeds,
                  int32_t num_seeds) {
  RmProblem problem = {.graph = graph_in_order(p, order),
                       .options = &p->options,
                       .seeds = seeds,
                       .num_seeds = num_seeds};
  RmExact exact = rm_exact_plan(&problem, p->pool);
  if (exact.schedule.steps)
    offer(p, to_whole(p, order, &exact.schedule));
  if (!p->options.reorder && !p->is_squeezing &&
      exact.cost_bound > p->best.cost_bound && exact.cost_bound < INT64_MAX) {
    p->best.cost_bound = exact.cost_bound;
    p->best.proof = RM_PROOF_SEARCH;
    p->best.num_proof_ops = 0;
  }
  return exact.proved && !is_limited(p);
}

/* Small graphs are solved for good, from what the search found. */
static void prove_small(Planning *p, int order) {
  if (!p->is_squeezing && !is_proved(p) &&
      rm_exact_applies(graph_in_order(p, order), p->pool))
    prove(p, order, &p->found[order], 1);
}

/* One strategy by name, in the order that serves it best. Those that improve on
 * what there is start from the cheap ones. */
static void run_named(Planning *p, int strategy) {
  const RmStrategy *s = &rm_strategies[strategy];
  bool improves = s->run == rm_strategy_search || s->run == rm_strategy_exact;
  for (int order = 0; order < p->num_orders; ++order) {
    Seeds seeds = {0};
    if (improves) {
      RmCutBest cut = rm_min_cut_best(graph_in_order(p, order),
                                      p->options.budget, true, CUT_TRIES, //
                                      p->pool);
      seeds = run_cheap(p, order, &cut.plan);
    }
    p->found[order] =
        run_strategy(p, strategy, order, seeds.schedules, seeds.count);
    if (improves && !p->best.fits)
      prove_small(p, order);
  }
  if (improves)
    solve_any_order(p);
}

static void run_in_order(Planning *p, int order, const Outlook *outlook) {
  Seeds seeds = run_cheap(p, order, &outlook->cut.plan);
  if (p->found[order].steps)
    seeds.schedules[seeds.count++] = p->found[order];
  if (p->flat.graph->ops.count <= FEW_OPS &&
      prove(p, order, seeds.schedules, seeds.count))
    return;
  p->found[order] = run_strategy(p, rm_strategy_find("search"), order,
                                 seeds.schedules, seeds.count);
  prove_small(p, order);
}

/* Once more, with more effort, in the order that came closest. */
static void try_harder(Planning *p, const Outlook *outlooks) {
  int effort = p->options.effort;
  if (effort == 0)
    return;
  p->options.effort = effort < 2 ? 2 : 3;
  run_in_order(p, p->best_order, &outlooks[p->best_order]);
  p->options.effort = effort;
}

/* Searches the most promising order, and up to `most_orders` while none fits.
 */
static void run_auto(Planning *p, int most_orders) {
  Outlook outlooks[RM_MOST_ORDERS];
  int ranked[RM_MOST_ORDERS];
  rank_orders(p, ranked, outlooks);
  if (is_free(p))
    return;
  if (solve_any_order(p) || is_proved(p))
    return;
  for (int i = 0; i < p->num_orders && i < most_orders; ++i)
    if (i == 0 || !p->best.fits)
      run_in_order(p, ranked[i], &outlooks[ranked[i]]);
  if (!p->best.fits && most_orders == MANY_ORDERS)
    try_harder(p, outlooks);
}

/*===-- Bounds ------------------------------------------------------------===*/

static void find_budget_bound(Planning *p) {
  RmBudgetBound bound = rm_budget_bound(p->flat.graph, !p->options.reorder,
                                        p->options.effort, p->pool);
  p->best.budget_bound = bound.bytes;
  p->best.bound_step = bound.step < 0 ? -1 : p->flat.whole_op[bound.step];
}

static void take_cost_bound(Planning *p, const RmCostBound *bound) {
  p->best.cost_bound = bound->cost;
  p->best.proof = bound->proof;
  p->best.num_proof_ops = bound->count;
  p->best.proof_ops = RM_NEW_ARRAY(p->pool, int32_t, bound->count);
  for (int32_t i = 0; i < bound->count; ++i)
    p->best.proof_ops[i] = p->flat.whole_op[bound->steps[i]];
}

static void find_cost_bound(Planning *p, int64_t budget) {
  p->flat_bound = rm_cost_bound(p->flat.graph, budget, !p->options.reorder,
                                p->options.effort, p->pool);
  take_cost_bound(p, &p->flat_bound);
}

/* At the most effort a solver has the last word. */
static void ask_solver(Planning *p) {
  if (p->options.effort < 3 || p->options.reorder || is_proved(p) ||
      !p->best.fits)
    return;
  rm_cost_prove(p->flat.graph, p->options.budget, p->best.measure.cost,
                &p->flat_bound, p->pool);
  if (p->flat_bound.cost > p->best.cost_bound)
    take_cost_bound(p, &p->flat_bound);
}

void rm_plan_bound(const RmGraph *graph, const RmPlanOptions *options,
                   RmPlanResult *result, RmPool *pool) {
  Planning p = {.graph = graph, .options = *options, .pool = pool};
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

/*===-- The smallest that fits --------------------------------------------===*/

enum { HALVINGS = 8 };

/* Narrows the distance between the bound and the best so far, in small steps: a
 * budget far too small says little of the peak. */
static void squeeze(Planning *p) {
  int64_t wanted = p->options.budget, low = p->best.budget_bound;
  p->is_squeezing = true;
  if (wanted > low)
    low = wanted;
  for (int i = 0; i < HALVINGS && !p->best.fits; ++i) {
    p->options.budget = low + (p->best.measure.peak - low) / 4 * 3;
    run_auto(p, FEW_ORDERS);
    if (p->best.measure.peak > p->options.budget)
      low = p->options.budget;
    p->best.fits = p->best.measure.peak <= wanted;
  }
  p->options.budget = wanted;
}

/* The least peak whose plan costs at most `limit`. */
static void squeeze_within_cost(Planning *p, int64_t limit) {
  p->is_squeezing = true;
  run_named(p, rm_strategy_find("keep-all"));
  RmPlanResult least = p->best;
  int64_t low = p->best.budget_bound;
  for (int i = 0; i < 2 * HALVINGS && low < least.measure.peak; ++i) {
    p->options.budget = low + (least.measure.peak - low) / 2;
    p->has_plan = false;
    run_auto(p, 1);
    if (p->best.fits && p->best.measure.cost <= limit)
      least = p->best;
    else
      low = p->options.budget + 1;
  }
  least.fits = true;
  p->best = least;
}

/*===-- The door ----------------------------------------------------------===*/

static void carry_forced(Planning *p) {
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

static Planning begin(const RmGraph *graph, const RmPlanOptions *options,
                      RmPool *pool) {
  Planning p = {.graph = graph, .options = *options, .pool = pool};
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

static void offer_unchanged(Planning *p) {
  RmSchedule flat = rm_schedule_identity(p->flat.graph, p->pool);
  offer(p, p->forced ? to_whole(p, 0, &flat)
                     : rm_schedule_identity(p->graph, p->pool));
}

static void run(Planning *p) {
  if (!rm_strategy_needs_budget(p->options.strategy)) {
    run_named(p, p->options.strategy);
    return;
  }
  if (p->options.budget == INT64_MAX && p->options.overhead >= 0) {
    double cost = (double)rm_graph_cost(p->graph);
    squeeze_within_cost(p, (int64_t)(cost * (1 + p->options.overhead)));
    return;
  }
  offer_unchanged(p);
  if (p->best.fits)
    return;
  find_cost_bound(p, p->options.budget);
  if (p->options.strategy != RM_STRATEGY_AUTO) {
    run_named(p, p->options.strategy);
    return;
  }
  run_auto(p, p->flat.graph->ops.count > MOST_OPS_FOR_GREEDY ? FEW_ORDERS
                                                             : MANY_ORDERS);
  ask_solver(p);
  if (!p->options.gives_up)
    squeeze(p);
}

/* Where every plan runs some op too often the program stays as it is. */
static void keep_program(Planning *p) {
  p->best.schedule = rm_schedule_identity(p->graph, p->pool);
  p->best.measure = rm_schedule_measure(p->graph, &p->best.schedule, p->pool);
  p->best.fits = fits(p, &p->best.measure);
}

RmPlanResult rm_plan(const RmGraph *graph, const RmPlanOptions *options,
                     RmPool *pool) {
  Planning p = begin(graph, options, pool);
  p.best.cost_bound = rm_graph_cost(graph);
  run(&p);
  if (!p.has_plan)
    keep_program(&p);
  if (!p.best.fits || p.best.cost_bound == rm_graph_cost(graph))
    find_cost_bound(&p, p.best.fits && options->budget < INT64_MAX
                            ? options->budget
                            : p.best.measure.peak);
  return p.best;
}
