/* lib/plan/least.c - the least peak: of any plan, or within an extra cost. */
#include "plan/planning.h"

enum { HALVINGS = 16, FEW_ORDERS = 2, FAILURES = 3 };

static void forget_found(RmPlanning *p) {
  for (int order = 0; order < p->num_orders; ++order)
    p->found[order].steps = NULL;
  p->has_plan = p->best.fits = false;
}

/* Halves the distance between `low` and the least peak so far by one strategy,
 * until that has failed a few times. */
static void halve(RmPlanning *p, const char *strategy, int64_t wanted,
                  int64_t low) {
  for (int failures = 0; failures < FAILURES && p->best.measure.peak > wanted &&
                         p->best.measure.peak > low;) {
    p->options.budget = low + (p->best.measure.peak - low) / 2;
    rm_auto_aim(p, strategy);
    if (p->best.measure.peak <= p->options.budget)
      continue;
    low = p->options.budget + 1;
    ++failures;
  }
}

/* A quick plan, halvings, and the search downward from there. Begins anew and
 * ends where the wanted budget is reached, so that whatever is the least found
 * for one budget is found for every other that needs as much. */
void rm_planning_least(RmPlanning *p) {
  int64_t wanted = p->options.budget, low = p->best.budget_bound;
  RmBreadth breadth = rm_auto_breadth(p);
  forget_found(p);
  breadth.effort = 0;
  p->options.budget = low;
  rm_auto_run(p, breadth);
  p->is_squeezing = true;
  halve(p, "dtr", wanted, low);
  halve(p, "chain", wanted, low);
  p->options.budget = wanted;
  if (p->best.measure.peak > wanted)
    rm_auto_descend(p, low);
  p->best.fits = p->best.measure.peak <= wanted;
  if (p->best.fits) /* at any cost, so far */
    rm_auto_finish(p);
}

/* By halving, and little work for each of many budgets. */
void rm_planning_least_within_cost(RmPlanning *p, int64_t limit) {
  int effort = p->options.effort ? p->options.effort - 1 : 0;
  RmBreadth quick = {FEW_ORDERS, FEW_ORDERS, effort, false};
  p->is_squeezing = true;
  rm_auto_run_named(p, rm_strategy_find("keep-all"));
  RmPlanResult least = p->best;
  int64_t low = p->best.budget_bound;
  for (int i = 0; i < HALVINGS && low < least.measure.peak; ++i) {
    p->options.budget = low + (least.measure.peak - low) / 2;
    p->has_plan = false;
    rm_auto_run(p, quick);
    if (p->best.fits && p->best.measure.cost <= limit)
      least = p->best;
    else
      low = p->options.budget + 1;
  }
  least.fits = true;
  p->best = least;
}
