/* tools/remat-bench/bench-sweep.c - the smallest budget, and a curve. */
#include "bench-plan.h"

#include "plan/sweep.h"

#include <inttypes.h>
#include <stdio.h>

/*===-- The smallest ------------------------------------------------------===*/

/* A curve of one point: the plan with the least peak found. */
static Trial find_least(const PlanOptions *o, const Subject *s,
                        const char *strategy, int effort) {
  RmPool *pool = rm_pool_create_or_abort();
  RmPlanOptions wanted = trial_options(o, strategy, effort);
  progress_show("%s: the smallest budget, %s, effort %d", s->name, strategy,
                effort);
  double begin = seconds_now();
  RmSweep sweep = rm_plan_sweep(s->graph, &wanted, 1, NULL, pool);
  const RmSweepPoint *least = &sweep.points[0];
  Trial trial = {.subject = s,
                 .strategy = strategy,
                 .label = "smallest",
                 .budget = least->budget,
                 .effort = effort,
                 .reorder = o->reorder,
                 .seconds = seconds_now() - begin};
  wanted.budget = least->budget;
  trial_finish(o, &trial, &wanted, &least->plan, pool);
  rm_pool_destroy(pool);
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

typedef struct Listening {
  const PlanOptions *options;
  const Subject *subject;
  Trial *trials; /* by point, so far */
  const char *strategy;
  int effort;
  double since;
} Listening;

/* Notes the time that the point took. */
static void hear(void *data, int32_t i, const RmSweepPoint *point) {
  Listening *l = data;
  double now = seconds_now();
  l->trials[i] = (Trial){.subject = l->subject,
                         .strategy = l->strategy,
                         .label = "sweep",
                         .budget = point->budget,
                         .effort = l->effort,
                         .reorder = l->options->reorder,
                         .seconds = now - l->since};
  l->since = now;
  progress_show("%s: budget %d of %d, %s, effort %d", l->subject->name, i + 1,
                l->options->sweep, l->strategy, l->effort);
}

static const char *remark_on(const RmSweep *s, int32_t i, RmPool *pool) {
  const RmSweepPoint *point = &s->points[i];
  bool is_borrowed = point->plan_of != point->budget;
  const char *knee = i == s->knee ? "knee" : "";
  if (!is_borrowed)
    return knee;
  return rm_pool_printf(pool, "%s%splan of %" PRId64, knee, *knee ? ", " : "",
                        point->plan_of);
}

static void report_point(const PlanOptions *o, const RmSweep *s, int32_t i,
                         const Trial *trial) {
  cJSON *point = trial_describe(trial, "sweep");
  cJSON_AddNumberToObject(point, "plan_of", (double)s->points[i].plan_of);
  cJSON_AddBoolToObject(point, "knee", i == s->knee);
  report_add(o, point);
  if (o->has_table)
    trial_print(trial, remark_on(s, i, o->pool), o->pool);
}

static void report_curve(const PlanOptions *o, const Subject *subject,
                         const RmSweep *s) {
  const RmPlanResult *least = &s->points[0].plan;
  cJSON *curve = cJSON_CreateObject();
  cJSON_AddStringToObject(curve, "kind", "curve");
  cJSON_AddStringToObject(curve, "graph", subject->name);
  cJSON_AddNumberToObject(curve, "minimum", (double)least->measure.peak);
  cJSON_AddNumberToObject(curve, "minimum_bound", (double)least->budget_bound);
  cJSON_AddNumberToObject(curve, "borrowed", s->borrowed);
  report_add(o, curve);
  if (o->has_table)
    printf("%s: %d of %d budgets took the plan of a smaller one\n",
           subject->name, s->borrowed, s->count);
}

/* The bounds are known when the sweep is done. */
static int judge_points(const PlanOptions *o, const Subject *subject,
                        const RmPlanOptions *options, const RmSweep *s,
                        Trial *trials, RmPool *pool) {
  int status = ALL_WELL;
  for (int32_t i = 0; i < s->count; ++i) {
    RmPlanOptions wanted = *options;
    wanted.budget = s->points[i].budget;
    trial_finish(o, &trials[i], &wanted, &s->points[i].plan, pool);
    report_point(o, s, i, &trials[i]);
    status = trials[i].wrong ? WRONG : status;
  }
  report_curve(o, subject, s);
  return status;
}

int sweep_run(const PlanOptions *o, const Subject *subject,
              const char *strategy, int effort) {
  RmPool *pool = rm_pool_create_or_abort();
  RmPlanOptions options = trial_options(o, strategy, effort);
  Listening l = {o,        subject, RM_NEW_ARRAY(o->pool, Trial, o->sweep),
                 strategy, effort,  seconds_now()};
  RmSweepListener listener = {hear, &l};
  RmSweep s =
      rm_plan_sweep(subject->graph, &options, o->sweep, &listener, pool);
  int status = judge_points(o, subject, &options, &s, l.trials, pool);
  rm_pool_destroy(pool);
  return status;
}
