/* lib/plan/auto.c - every strategy worth its time, then the search.
 *
 *     every order: its min cut, all that is quick
 *     -> the best few: greedy, a short search
 *     -> the best, and program order: the whole search -> proof of small graphs
 *
 * While nothing fits, more orders are tried. All that is known of an order is
 * where the next search in it begins, so nothing found is lost. */
#include "plan/any-order.h"
#include "plan/exact.h"
#include "plan/planning.h"

enum {
  CUT_TRIES = 4,
  MOST_OPS_FOR_ALL = 4000, /* larger graphs: only what is nearly linear */
  MANY_OPS = 20000,        /* their equal layers may be planned at once */
  SMALL_GAP = 2000,        /* a cost that may be a part of this too high */
  FEW_OPS = 24,            /* solved before they are searched */
  MOST_DESCENTS = 4,       /* orders */
  MOST_SEEDS = 16
};

/*===-- Orders ------------------------------------------------------------===*/

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

static Outlook look_at(RmPlanning *p, int order) {
  const RmGraph *graph = rm_planning_graph(p, order);
  RmPool *scratch = rm_pool_branch(p->pool);
  RmSchedule all = rm_schedule_identity(graph, scratch);
  Outlook outlook = {.peak = rm_schedule_measure(graph, &all, scratch).peak};
  outlook.cut =
      rm_min_cut_best(graph, p->options.budget, true, CUT_TRIES, p->pool);
  rm_planning_offer(p, order, &all);
  rm_pool_destroy(scratch);
  rm_planning_forget(p, order);
  return outlook;
}

/* The orders, the most promising first. */
static void rank_orders(RmPlanning *p, int *ranked, Outlook *outlooks) {
  for (int order = 0; order < p->num_orders; ++order) {
    outlooks[order] = look_at(p, order);
    int at = order;
    for (; at && is_brighter(&outlooks[order], &outlooks[ranked[at - 1]]); --at)
      ranked[at] = ranked[at - 1];
    ranked[at] = order;
  }
}

/*===-- In one order ------------------------------------------------------===*/

typedef struct Seeds {
  RmSchedule schedules[MOST_SEEDS];
  int32_t count;
} Seeds;

static void add_seed(Seeds *seeds, RmSchedule schedule) {
  if (seeds->count < MOST_SEEDS)
    seeds->schedules[seeds->count++] = schedule;
}

static bool is_small(const RmPlanning *p) {
  return p->flat.graph->ops.count <= MOST_OPS_FOR_ALL;
}

/* Greedy from nothing takes long on large graphs: there from the cut alone. */
static void run_greedy(RmPlanning *p, int order, const RmSchedule *cut,
                       Seeds *seeds, RmPool *pool) {
  int greedy = rm_strategy_find("greedy");
  if (cut->steps)
    add_seed(seeds, rm_planning_run(p, greedy, order, cut, 1, pool));
  if (is_small(p))
    add_seed(seeds, rm_planning_run(p, greedy, order, NULL, 0, pool));
}

/* Keeps a schedule in that order if it is the best known there. */
static void keep_found(RmPlanning *p, int order, const RmSchedule *found) {
  RmPool *scratch = rm_pool_branch(p->pool);
  RmMeasure measure =
      rm_schedule_measure(rm_planning_graph(p, order), found, scratch);
  rm_pool_destroy(scratch);
  if (p->found[order].steps &&
      !rm_planning_is_better(p, &measure, &p->found_measure[order]))
    return;
  p->found[order] = rm_schedule_copy(found, p->pool);
  p->found_measure[order] = measure;
}

/* Runs a strategy at that effort and keeps what it found. */
static void find(RmPlanning *p, int order, const char *strategy, int effort,
                 const Seeds *seeds) {
  RmPool *scratch = rm_pool_branch(p->pool);
  int wanted = p->options.effort;
  p->options.effort = effort;
  RmSchedule found = rm_planning_run(p, rm_strategy_find(strategy), order,
                                     seeds->schedules, seeds->count, scratch);
  keep_found(p, order, &found);
  p->options.effort = wanted;
  rm_pool_destroy(scratch);
}

/* All strategies that neither improve on others nor give nothing new. */
static void run_classical(RmPlanning *p, int order) {
  static const char *const quick[] = {"recompute-all", "sqrt-n",   "every-n",
                                      "chen",          "knapsack", "dtr",
                                      "min-cut"};
  Seeds none = {0};
  for (size_t i = 0; i < sizeof quick / sizeof *quick; ++i)
    find(p, order, quick[i], p->options.effort, &none);
  if (is_small(p)) /* the search knows better what more effort would find */
    find(p, order, "chain", p->options.effort ? 1 : 0, &none);
  rm_planning_forget(p, order);
}

/*===-- Proofs ------------------------------------------------------------===*/

/* What solves small graphs knows nothing of limits on runs. */
static bool is_limited(const RmPlanning *p) {
  return p->forced || p->options.max_recompute;
}

/* No plan within the budget costs less, as a search through all has shown. */
static void raise_bound(RmPlanning *p, int64_t cost) {
  if (p->is_squeezing || cost <= p->best.cost_bound)
    return;
  p->best.cost_bound = cost;
  p->best.proof = RM_PROOF_SEARCH;
  p->best.num_proof_ops = 0;
}

/* Where ops may be moved very small graphs are solved in every order. Whether
 * there is no more to be found. */
static bool solve_any_order(RmPlanning *p) {
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
  rm_planning_offer(p, 0, &found.schedule);
  raise_bound(p, cost);
  return !is_limited(p);
}

/* Solves the graph in this order; in a fixed order the proof is a bound for all
 * plans. Whether there is no more to be found. */
static bool prove(RmPlanning *p, int order, const RmSchedule *seeds,
                  int32_t num_seeds) {
  RmProblem problem = {.graph = rm_planning_graph(p, order),
                       .options = &p->options,
                       .seeds = seeds,
                       .num_seeds = num_seeds};
  RmExact exact = rm_exact_plan(&problem, p->pool);
  if (exact.schedule.steps)
    rm_planning_offer(p, order, &exact.schedule);
  if (!p->options.reorder && exact.cost_bound < INT64_MAX)
    raise_bound(p, exact.cost_bound);
  return exact.proved && !is_limited(p);
}

/* Small graphs are solved for good, from what the search found. */
static void prove_small(RmPlanning *p, int order) {
  if (!p->is_squeezing && !rm_planning_is_proved(p) &&
      rm_exact_applies(rm_planning_graph(p, order), p->pool))
    prove(p, order, &p->found[order], 1);
}

/*===-- Searching ---------------------------------------------------------===*/

/* Begins an order: the greedy ones, then a short search from the best. */
static void begin_order(RmPlanning *p, int order, const Outlook *outlook) {
  RmPool *scratch = rm_pool_branch(p->pool);
  Seeds seeds = {0};
  if (p->found[order].steps)
    add_seed(&seeds, p->found[order]);
  run_greedy(p, order, &outlook->cut.plan, &seeds, scratch);
  if (p->flat.graph->ops.count > FEW_OPS ||
      !prove(p, order, seeds.schedules, seeds.count))
    find(p, order, "search", 0, &seeds);
  rm_pool_destroy(scratch);
  rm_planning_forget(p, order);
}

/* All that an order gets which does not look as if it were worth more. */
static void try_greedy(RmPlanning *p, int order) {
  Seeds none = {0};
  find(p, order, "greedy", p->options.effort, &none);
  rm_planning_forget(p, order);
}

/* Whether the best plan costs no more than a small part beyond the bound. */
static bool is_nearly_proved(const RmPlanning *p) {
  return p->best.fits && p->best.measure.cost - p->best.cost_bound <=
                             p->best.cost_bound / SMALL_GAP;
}

static void search_more(RmPlanning *p, int order, int effort) {
  Seeds seeds = {{p->found[order]}, 1}, none = {0};
  if (!effort)
    return;
  find(p, order, "search", effort, &seeds);
  if (p->flat.graph->ops.count >= MANY_OPS && !is_nearly_proved(p))
    find(p, order, "layers", effort, &none);
}

/*===-- All of it ---------------------------------------------------------===*/

/* Of the orders with a plan the one whose plan is best; -1: none has one. */
static int best_order(const RmPlanning *p) {
  int best = -1;
  for (int order = 0; order < p->num_orders; ++order)
    if (p->found[order].steps &&
        (best < 0 || rm_planning_is_better(p, &p->found_measure[order],
                                           &p->found_measure[best])))
      best = order;
  return best;
}

/* The whole search in the best order, and in program order: where ops may be
 * moved the plan is never worse than where they may not. */
static void search_best_orders(RmPlanning *p, int effort) {
  int best = best_order(p);
  if (best < 0) /* all are solved */
    return;
  if (!p->is_squeezing && best != 0 && p->found[0].steps)
    search_more(p, 0, effort);
  search_more(p, best, effort);
  prove_small(p, best_order(p));
}

/* Moves the orders with the best plans to the front; program order is next to
 * them, for that is what there is without moving ops. */
static void rank_by_found(const RmPlanning *p, int *ranked, int count) {
  for (int i = 1; i < p->num_orders; ++i)
    for (int k = i; k > 0 && p->found[ranked[k]].steps &&
                    rm_planning_is_better(p, &p->found_measure[ranked[k]],
                                          &p->found_measure[ranked[k - 1]]);
         --k) {
      int order = ranked[k];
      ranked[k] = ranked[k - 1];
      ranked[k - 1] = order;
    }
  int at = 0;
  while (ranked[at] != 0)
    ++at;
  for (; at > count; --at)
    ranked[at] = ranked[at - 1];
  ranked[at] = 0;
}

RmBreadth rm_auto_breadth(const RmPlanning *p) {
  RmBreadth breadth = {4, 16, p->options.effort, true};
  if (!is_small(p))
    breadth.orders = breadth.most_orders = 2;
  return breadth;
}

void rm_auto_run(RmPlanning *p, RmBreadth breadth) {
  Outlook outlooks[RM_MOST_ORDERS];
  int ranked[RM_MOST_ORDERS];
  rank_orders(p, ranked, outlooks);
  if (p->best.fits && p->best.measure.extra == 0)
    return;
  if (solve_any_order(p))
    return;
  if (breadth.classical) {
    for (int order = 0; order < p->num_orders; ++order)
      run_classical(p, order);
    rank_by_found(p, ranked, breadth.orders - 1);
  }
  for (int i = 0; i < p->num_orders && !rm_planning_is_proved(p); ++i)
    if (i < breadth.orders || (i < breadth.most_orders && !p->best.fits))
      begin_order(p, ranked[i], &outlooks[ranked[i]]);
    else if (breadth.classical && is_small(p))
      try_greedy(p, ranked[i]);
  if (!rm_planning_is_proved(p))
    search_best_orders(p, breadth.effort);
}

void rm_auto_aim(RmPlanning *p, const char *strategy) {
  int order = best_order(p);
  if (order < 0)
    return;
  Seeds none = {0};
  find(p, order, strategy, p->options.effort ? 1 : 0, &none);
  rm_planning_forget(p, order);
}

static void descend_in(RmPlanning *p, int order, int64_t floor) {
  RmProblem problem = {.graph = rm_planning_graph(p, order),
                       .options = &p->options,
                       .seeds = &p->found[order],
                       .num_seeds = 1};
  RmPool *scratch = rm_pool_branch(p->pool);
  RmSchedule found = rm_search_descend(&problem, floor, scratch);
  rm_planning_offer(p, order, &found);
  keep_found(p, order, &found);
  rm_pool_destroy(scratch);
  rm_planning_forget(p, order);
}

/* The orders with a plan, those of the least peaks first; how many. */
static int rank_by_peak(const RmPlanning *p, int *ranked) {
  int count = 0;
  for (int order = 0; order < p->num_orders; ++order) {
    if (!p->found[order].steps)
      continue;
    int at = count++;
    for (; at > 0 &&
           p->found_measure[order].peak < p->found_measure[ranked[at - 1]].peak;
         --at)
      ranked[at] = ranked[at - 1];
    ranked[at] = order;
  }
  return count;
}

void rm_auto_descend(RmPlanning *p, int64_t floor) {
  int ranked[RM_MOST_ORDERS], count = rank_by_peak(p, ranked);
  int most = is_small(p) ? MOST_DESCENTS : 1;
  for (int i = 0; i < count; ++i)
    if (ranked[i] == 0 ||
        (i < most && p->best.measure.peak > p->options.budget))
      descend_in(p, ranked[i], floor);
}

void rm_auto_finish(RmPlanning *p) {
  p->is_squeezing = false;
  search_best_orders(p, p->options.effort);
}

/* Those that improve on what there is start from the greedy ones. */
void rm_auto_run_named(RmPlanning *p, int strategy) {
  const RmStrategy *s = &rm_strategies[strategy];
  bool improves = s->run == rm_strategy_search || s->run == rm_strategy_exact;
  for (int order = 0; order < p->num_orders; ++order) {
    RmPool *scratch = rm_pool_branch(p->pool);
    Seeds seeds = {0};
    if (improves) {
      RmCutBest cut =
          rm_min_cut_best(rm_planning_graph(p, order), p->options.budget, true,
                          CUT_TRIES, scratch);
      run_greedy(p, order, &cut.plan, &seeds, scratch);
    }
    find(p, order, s->name, p->options.effort, &seeds);
    if (improves && !p->best.fits)
      prove_small(p, order);
    rm_pool_destroy(scratch);
    rm_planning_forget(p, order);
  }
  if (improves)
    solve_any_order(p);
}
