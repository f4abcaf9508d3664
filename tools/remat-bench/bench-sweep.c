/* tools/remat-bench/bench-sweep.c - the smallest budget, and the curve from it.
 *
 * A plan for a budget is also one for every larger budget, and a bound for a
 * budget also one for every smaller budget. So each point takes the cheapest
 * plan found at its budget or below, and the highest bound at it or above: cost
 * and bound never rise with the budget, and how often that was needed is told.
 *
 * The knee is the point that lies farthest below the straight line from the
 * first point to the last. */
#include "bench-plan.h"

#include "support/wide.h"

#include <inttypes.h>
#include <stdio.h>

/*===-- The smallest ------------------------------------------------------===*/

/* The plan with the least peak found, wanted at the bound on any. */
static Trial find_least(const PlanOptions *o, const Subject *s,
                        const char *strategy, int effort) {
  RmPool *pool = rm_pool_create_or_abort();
  RmPlanOptions wanted = {.budget = s->peak,
                          .overhead = -1,
                          .effort = effort,
                          .reorder = o->reorder};
  RmPlanResult bounds;
  progress_show("%s: the smallest budget, %s, effort %d", s->name, strategy,
                effort);
  rm_plan_bound(s->graph, &wanted, &bounds, pool);
  rm_pool_destroy(pool);
  Trial trial = trial_run(o, s, strategy, "smallest", bounds.budget_bound, //
                          effort);
  trial.budget = trial.measure.peak;
  trial.fits = true;
  return trial;
}

static const char *above_bound(const Trial *t, RmPool *pool) {
  if (t->measure.peak <= t->budget_bound)
    return "proven smallest";
  return rm_pool_printf(pool, "%s %% above the bound %" PRId64,
                        percent_over(t->measure.peak, t->budget_bound, pool),
                        t->budget_bound);
}

int minimum_find(const PlanOptions *o, const Subject *s, const char *strategy,
                 int effort) {
  Trial least = find_least(o, s, strategy, effort);
  report_add(o, trial_describe(&least, "minimum"));
  if (o->has_table)
    trial_print(&least, above_bound(&least, o->pool), o->pool);
  return least.wrong ? WRONG : ALL_WELL;
}

/*===-- The curve ---------------------------------------------------------===*/

typedef struct Curve {
  Trial *points; /* as found, then as they serve; budgets ascend */
  int64_t *from; /* the budget whose plan serves */
  int32_t count;
  int32_t borrowed; /* points whose own plan costs more than a smaller one's */
  int32_t knee;     /* -1 if the curve is flat */
} Curve;

static int64_t budget_at(const Subject *s, int64_t least, int32_t i,
                         int32_t count) {
  RmWide part = (RmWide)(s->peak - least) * i;
  return least + (int64_t)((part + count - 2) / (count - 1));
}

/* The plan of `better` serves at the budget of `point`. */
static void take_plan(Trial *point, const Trial *better) {
  point->measure = better->measure;
  point->fits = true;
}

static void serve(Curve *c, const Trial *least) {
  const Trial *best = least;
  int64_t from = least->budget;
  for (int32_t i = 0; i < c->count; ++i) {
    Trial *point = &c->points[i];
    bool is_best = point->fits && point->measure.cost <= best->measure.cost;
    if (is_best)
      from = point->budget;
    c->borrowed += !is_best;
    take_plan(point, is_best ? point : best);
    best = point;
    c->from[i] = from;
  }
  for (int32_t i = c->count - 2; i >= 0; --i)
    if (c->points[i].cost_bound < c->points[i + 1].cost_bound)
      c->points[i].cost_bound = c->points[i + 1].cost_bound;
}

static double share(int64_t low, int64_t at, int64_t high) {
  return (double)(at - low) / (double)(high - low);
}

static int32_t find_knee(const Curve *c) {
  const Trial *first = &c->points[0], *last = &c->points[c->count - 1];
  double best = 0;
  int32_t knee = -1;
  if (first->measure.cost == last->measure.cost)
    return -1;
  for (int32_t i = 1; i < c->count - 1; ++i) {
    double below = 1 - share(first->budget, c->points[i].budget, last->budget) -
                   share(last->measure.cost, c->points[i].measure.cost,
                         first->measure.cost);
    if (below > best) {
      best = below;
      knee = i;
    }
  }
  return knee;
}

static Curve find_curve(const PlanOptions *o, const Trial *least) {
  const Subject *s = least->subject;
  int32_t count = least->budget < s->peak ? o->sweep : 1;
  Curve c = {.points = RM_NEW_ARRAY(o->pool, Trial, count),
             .from = RM_NEW_ARRAY(o->pool, int64_t, count),
             .count = count};
  for (int32_t i = 0; i < count; ++i) {
    int64_t budget = count > 1 ? budget_at(s, least->budget, i, count) //
                               : s->peak;
    progress_show("%s: budget %d of %d, %s, effort %d", s->name, i + 1, count,
                  least->strategy, least->effort);
    c.points[i] =
        trial_run(o, s, least->strategy, "sweep", budget, least->effort);
  }
  serve(&c, least);
  c.knee = find_knee(&c);
  return c;
}

static void print_curve(const Curve *c, RmPool *pool) {
  for (int32_t i = 0; i < c->count; ++i) {
    const char *borrowed =
        c->from[i] == c->points[i].budget
            ? ""
            : rm_pool_printf(pool, "plan of %" PRId64, c->from[i]);
    const char *remark =
        rm_pool_printf(pool, "%s%s%s", i == c->knee ? "knee" : "",
                       i == c->knee && *borrowed ? ", " : "", borrowed);
    trial_print(&c->points[i], remark, pool);
  }
  printf("%s: %d of %d budgets took the plan of a smaller one\n",
         c->points[0].subject->name, c->borrowed, c->count);
}

static void report_curve(const PlanOptions *o, const Curve *c,
                         const Trial *least) {
  for (int32_t i = 0; i < c->count; ++i) {
    cJSON *point = trial_describe(&c->points[i], "sweep");
    cJSON_AddNumberToObject(point, "plan_of", (double)c->from[i]);
    cJSON_AddBoolToObject(point, "knee", i == c->knee);
    report_add(o, point);
  }
  cJSON *curve = cJSON_CreateObject();
  cJSON_AddStringToObject(curve, "kind", "curve");
  cJSON_AddStringToObject(curve, "graph", least->subject->name);
  cJSON_AddNumberToObject(curve, "minimum", (double)least->budget);
  cJSON_AddNumberToObject(curve, "minimum_bound", (double)least->budget_bound);
  cJSON_AddNumberToObject(curve, "borrowed", c->borrowed);
  report_add(o, curve);
}

int sweep_run(const PlanOptions *o, const Subject *s, const char *strategy,
              int effort) {
  Trial least = find_least(o, s, strategy, effort);
  Curve curve = find_curve(o, &least);
  bool wrong = least.wrong;
  for (int32_t i = 0; i < curve.count; ++i)
    wrong |= curve.points[i].wrong != NULL;
  report_curve(o, &curve, &least);
  if (o->has_table)
    print_curve(&curve, o->pool);
  return wrong ? WRONG : ALL_WELL;
}
