/* lib/plan/auto.c - every strategy worth its time, then the search.
 *
 *     rank orders by their min cut -> in the best few: what is quick, and a
 * short search -> the whole search in the best of them -> proof of small graphs
 *
 * While nothing fits, more orders are tried. All that is known of an order is
 * where the next search in it begins, so nothing found is lost. */
#include "plan/any-order.h"
#include "plan/exact.h"
#include "plan/planning.h"

#include <string.h>

enum {
  CUT_TRIES = 4,
  MOST_OPS_FOR_ALL = 4000, /* larger graphs: only what is nearly linear */
  FEW_OPS = 24,            /* solved before they are searched */
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
  RmSchedule all = rm_schedule_identity(graph, p->pool);
  Outlook outlook = {.peak = rm_schedule_measure(graph, &all, p->pool).peak};
  outlook.cut =
      rm_min_cut_best(graph, p->options.budget, true, CUT_TRIES, p->pool);
  rm_planning_offer(p, order, &all);
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

/* Greedy from nothing takes long on large graphs, where the cut is the better
 * start. */
static void run_greedy(RmPlanning *p, int order, const RmSchedule *cut,
                       Seeds *seeds) {
  int greedy = rm_strategy_find("greedy");
  if (cut->steps)
    add_seed(seeds, rm_planning_run(p, greedy, order, cut, 1));
  if (is_small(p) || !cut->steps)
    add_seed(seeds, rm_planning_run(p, greedy, order, NULL, 0));
}

/* All strategies that neither improve on others nor give nothing new. */
static void run_classical(RmPlanning *p, int order, Seeds *seeds) {
  static const char *const quick[] = {"recompute-all", "sqrt-n", "chen",
                                      "knapsack", "dtr"};
  static const char *const slow[] = {"every-n", "min-cut", "chain"};
  for (size_t i = 0; i < sizeof quick / sizeof *quick; ++i)
    add_seed(seeds,
             rm_planning_run(p, rm_strategy_find(quick[i]), order, NULL, 0));
  for (size_t i = 0; is_small(p) && i < sizeof slow / sizeof *slow; ++i)
    add_seed(seeds,
             rm_planning_run(p, rm_strategy_find(slow[i]), order, NULL, 0));
}

/*===-- Proofs ------------------------------------------------------------===*/

/* What solves small graphs knows nothing of limits on runs. */
static bool is_limited(const RmPlanning *p) {
  return p->forced || p->options.max_recompute;
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
  if (!p->is_squeezing && cost > p->best.cost_bound) {
    p->best.cost_bound = cost;
    p->best.proof = RM_PROOF_SEARCH;
    p->best.num_proof_ops = 0;
  }
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
  if (!p->options.reorder && !p->is_squeezing &&
      exact.cost_bound > p->best.cost_bound && exact.cost_bound < INT64_MAX) {
    p->best.cost_bound = exact.cost_bound;
    p->best.proof = RM_PROOF_SEARCH;
    p->best.num_proof_ops = 0;
  }
  return exact.proved && !is_limited(p);
}

/* Small graphs are solved for good, from what the search found. */
static void prove_small(RmPlanning *p, int order) {
  if (!p->is_squeezing && !rm_planning_is_proved(p) &&
      rm_exact_applies(rm_planning_graph(p, order), p->pool))
    prove(p, order, &p->found[order], 1);
}

/*===-- Searching ---------------------------------------------------------===*/

static void search(RmPlanning *p, int order, int effort, const Seeds *seeds) {
  int wanted = p->options.effort;
  p->options.effort = effort;
  RmSchedule found = rm_planning_run(p, rm_strategy_find("search"), order,
                                     seeds->schedules, seeds->count);
  p->options.effort = wanted;
  p->found[order] = found;
  p->found_measure[order] =
      rm_schedule_measure(rm_planning_graph(p, order), &found, p->pool);
}

/* Begins an order: what is quick, then a short search from the best of it.
 */
static void begin_order(RmPlanning *p, int order, const Outlook *outlook,
                        bool classical) {
  Seeds seeds = {0};
  if (p->found[order].steps)
    add_seed(&seeds, p->found[order]);
  run_greedy(p, order, &outlook->cut.plan, &seeds);
  if (classical)
    run_classical(p, order, &seeds);
  if (p->flat.graph->ops.count <= FEW_OPS &&
      prove(p, order, seeds.schedules, seeds.count))
    return;
  search(p, order, 0, &seeds);
}

static void search_more(RmPlanning *p, int order, int effort) {
  Seeds seeds = {{p->found[order]}, 1};
  if (effort)
    search(p, order, effort, &seeds);
}

/*===-- All of it ---------------------------------------------------------===*/

/* Of the orders begun the one whose plan is best, and is not `besides`. */
static int best_order(const RmPlanning *p, int besides) {
  int best = -1;
  for (int order = 0; order < p->num_orders; ++order)
    if (p->found[order].steps && order != besides &&
        (best < 0 || rm_planning_is_better(p, &p->found_measure[order],
                                           &p->found_measure[best])))
      best = order;
  return best;
}

/* Much effort is spread over two orders, the best last: it has the most seeds.
 */
static void search_best_orders(RmPlanning *p, int effort) {
  int best = best_order(p, -1);
  int second = effort > 1 ? best_order(p, best) : -1;
  if (best < 0) /* all are solved */
    return;
  if (second >= 0)
    search_more(p, second, effort - 1);
  best = best_order(p, -1);
  search_more(p, best, effort);
  prove_small(p, best);
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
  for (int i = 0; i < p->num_orders && i < breadth.most_orders &&
                  !rm_planning_is_proved(p);
       ++i)
    if (i < breadth.orders || !p->best.fits)
      begin_order(p, ranked[i], &outlooks[ranked[i]],
                  breadth.classical && i < breadth.orders);
  if (!rm_planning_is_proved(p))
    search_best_orders(p, breadth.effort);
}

/* Those that improve on what there is start from the greedy ones. */
void rm_auto_run_named(RmPlanning *p, int strategy) {
  const RmStrategy *s = &rm_strategies[strategy];
  bool improves = s->run == rm_strategy_search || s->run == rm_strategy_exact;
  for (int order = 0; order < p->num_orders; ++order) {
    Seeds seeds = {0};
    if (improves) {
      RmCutBest cut =
          rm_min_cut_best(rm_planning_graph(p, order), p->options.budget, true,
                          CUT_TRIES, p->pool);
      run_greedy(p, order, &cut.plan, &seeds);
    }
    p->found[order] =
        rm_planning_run(p, strategy, order, seeds.schedules, seeds.count);
    if (improves && !p->best.fits)
      prove_small(p, order);
  }
  if (improves)
    solve_any_order(p);
}
