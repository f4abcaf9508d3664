/* lib/plan/sweep.c - the curve of cost over budget.
 *
 * First the least budget that has a plan, then the others from there upward. A
 * plan for a budget serves every larger one, so each search begins where the
 * one before ended: cost never rises with the budget. A bound for a budget
 * holds for every smaller one. Orders and what is known of them are shared. */
#include "plan/sweep.h"

#include "plan/planning.h"
#include "support/wide.h"

static int64_t budget_at(int64_t least, int64_t most, int32_t i,
                         int32_t count) {
  RmWide part = (RmWide)(most - least) * i;
  return least + (int64_t)((part + count - 2) / (count - 1));
}

/* What serves at the budget of the point before serves here, too. */
static RmSweepPoint find_point(RmPlanning *p, int64_t budget,
                               const RmSweepPoint *before) {
  rm_planning_turn_to(p, budget);
  RmSweepPoint point = {budget, rm_planning_solve(p), budget};
  if (point.plan.fits &&
      !rm_planning_is_better(p, &before->plan.measure, &point.plan.measure))
    return point;
  point.plan.schedule = before->plan.schedule;
  point.plan.measure = before->plan.measure;
  point.plan.fits = true;
  point.plan_of = before->plan_of;
  return point;
}

static void raise_bounds(RmSweep *s) {
  for (int32_t i = s->count - 2; i >= 0; --i) {
    RmPlanResult *plan = &s->points[i].plan, *next = &s->points[i + 1].plan;
    if (plan->cost_bound >= next->cost_bound)
      continue;
    plan->cost_bound = next->cost_bound;
    plan->proof = next->proof;
    plan->proof_ops = next->proof_ops;
    plan->num_proof_ops = next->num_proof_ops;
  }
}

static double share(int64_t low, int64_t at, int64_t high) {
  return (double)(at - low) / (double)(high - low);
}

static int32_t find_knee(const RmSweep *s) {
  const RmSweepPoint *first = &s->points[0], *last = &s->points[s->count - 1];
  int64_t dearest = first->plan.measure.cost, least = last->plan.measure.cost;
  double best = 0;
  int32_t knee = -1;
  if (dearest == least)
    return -1;
  for (int32_t i = 1; i < s->count - 1; ++i) {
    const RmSweepPoint *point = &s->points[i];
    double below = 1 - share(first->budget, point->budget, last->budget) -
                   share(least, point->plan.measure.cost, dearest);
    if (below > best) {
      best = below;
      knee = i;
    }
  }
  return knee;
}

static void add_point(RmSweep *s, RmSweepPoint point,
                      const RmSweepListener *listener) {
  s->points[s->count] = point;
  s->borrowed += point.plan_of != point.budget;
  if (listener)
    listener->hear(listener->data, s->count, &point);
  ++s->count;
}

RmSweep rm_plan_sweep(const RmGraph *graph, const RmPlanOptions *options,
                      int32_t count, const RmSweepListener *listener,
                      RmPool *pool) {
  RmSweep s = {.points = RM_NEW_ARRAY(pool, RmSweepPoint, count)};
  RmSchedule all = rm_schedule_identity(graph, pool);
  int64_t most = rm_schedule_measure(graph, &all, pool).peak;
  RmPlanning p = rm_planning_begin(graph, options, pool);
  rm_planning_turn_to(&p, p.best.budget_bound - 1); /* as little as can be */
  RmSweepPoint least = {.plan = rm_planning_solve(&p)};
  least.budget = least.plan_of = least.plan.measure.peak;
  least.plan.fits = true;
  add_point(&s, least, listener);
  for (int32_t i = 1; i < count && least.budget < most; ++i)
    add_point(&s,
              find_point(&p, budget_at(least.budget, most, i, count),
                         &s.points[i - 1]),
              listener);
  raise_bounds(&s);
  s.knee = find_knee(&s);
  return s;
}
