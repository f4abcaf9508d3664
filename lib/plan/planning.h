/* lib/plan/planning.h - one call of rm_plan or rm_plan_sweep, between plan.c,
 * auto.c, least.c and sweep.c. */
#ifndef RM_PLAN_PLANNING_H
#define RM_PLAN_PLANNING_H

#include "plan/min-cut.h"
#include "plan/order.h"
#include "plan/strategy.h"
#include "plan/views.h"

typedef struct RmPlanning {
  const RmGraph *graph;
  RmPlanOptions options;
  RmPool *pool;
  RmFlat flat;
  uint8_t *forced, *backward; /* by flat op; null without forced ones */
  int32_t *orders[RM_MOST_ORDERS];
  RmGraph *ordered[RM_MOST_ORDERS]; /* made when first asked for */
  int num_orders;
  RmSchedule found[RM_MOST_ORDERS]; /* the best known in it, if any */
  RmMeasure found_measure[RM_MOST_ORDERS];
  bool is_squeezing; /* many budgets are tried: none is worth a proof */
  RmPlanResult best;
  RmCostBound flat_bound; /* behind best.cost_bound, in the flat graph */
  bool has_plan;
} RmPlanning;

/* With bounds on the budget; nothing is planned yet. */
RmPlanning rm_planning_begin(const RmGraph *graph, const RmPlanOptions *options,
                             RmPool *pool);

/* The best plan as its options want it, with its bounds. */
RmPlanResult rm_planning_solve(RmPlanning *p);

/* Another budget, and no overhead. What was found in each order stays. */
void rm_planning_turn_to(RmPlanning *p, int64_t budget);

static inline bool rm_planning_is_proved(const RmPlanning *p) {
  return p->best.fits && p->best.measure.cost <= p->best.cost_bound;
}

/* Within the budget first, then cost, then fewer recomputations, then bytes;
 * outside the budget bytes first. */
bool rm_planning_is_better(const RmPlanning *p, const RmMeasure *a,
                           const RmMeasure *b);

/* The flat graph with its ops in that order, until it is forgotten. */
const RmGraph *rm_planning_graph(RmPlanning *p, int order);

/* Frees the graph of an order: it is made again when asked for. */
void rm_planning_forget(RmPlanning *p, int order);

/* Offers a schedule in the numbers of that order as the answer. Of those that
 * are equally good the one that runs earlier ops again is taken. */
void rm_planning_offer(RmPlanning *p, int order, const RmSchedule *found);

/* Runs a strategy in that order, offers what it found and returns it. */
RmSchedule rm_planning_run(RmPlanning *p, int strategy, int order,
                           const RmSchedule *seeds, int32_t num_seeds,
                           RmPool *pool);

/* The least peak that is found, but none below the budget; if that is met, the
 * best plan within it. */
void rm_planning_least(RmPlanning *p);

/* The least peak found of plans that cost at most `limit`. */
void rm_planning_least_within_cost(RmPlanning *p, int64_t limit);

/* How much of `auto` to do. */
typedef struct RmBreadth {
  int orders; /* at first; more are tried while none fits */
  int most_orders;
  int effort;
  bool classical; /* run all strategies that are quick enough */
} RmBreadth;

/* Full breadth for this graph. */
RmBreadth rm_auto_breadth(const RmPlanning *p);

void rm_auto_run(RmPlanning *p, RmBreadth breadth);

/* A strategy, with little effort, in the best order so far. */
void rm_auto_aim(RmPlanning *p, const char *strategy);

/* The search downward in the orders of the least peaks so far, to the budget or
 * to `floor`, and in program order: moving ops must not make a plan dearer. */
void rm_auto_descend(RmPlanning *p, int64_t floor);

/* The end of `auto`: the whole search in the best order and in program order.
 */
void rm_auto_finish(RmPlanning *p);

/* One strategy by name, in the order that serves it best. */
void rm_auto_run_named(RmPlanning *p, int strategy);

#endif
