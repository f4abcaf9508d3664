/* tools/remat-bench/bench-plan.c - graphs x budgets x strategies x efforts. */
#include "bench-plan.h"

#include "graph/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*===-- One plan ----------------------------------------------------------===*/

/* Null if the plan is right and is what it says of itself. */
static const char *judge(const Subject *s, const RmPlanOptions *options,
                         const RmPlanResult *r, RmPool *pool) {
  const char *wrong =
      rm_schedule_verify(s->graph, &r->schedule, !options->reorder, pool);
  if (wrong)
    return wrong;
  RmMeasure again = rm_schedule_measure(s->graph, &r->schedule, pool);
  if (again.peak != r->measure.peak || again.cost != r->measure.cost)
    return "it measures other than it says";
  if (r->fits != (again.peak <= options->budget))
    return "whether it fits is not as it says";
  if (r->budget_bound > again.peak)
    return "its peak is below the bound on any";
  if (r->fits && r->cost_bound > again.cost)
    return "its cost is below the bound on any";
  return NULL;
}

RmPlanOptions trial_options(const PlanOptions *options, const char *strategy,
                            int effort) {
  return (RmPlanOptions){.overhead = -1,
                         .strategy = rm_strategy_find(strategy),
                         .n = options->n,
                         .effort = effort,
                         .reorder = options->reorder};
}

void trial_finish(const PlanOptions *options, Trial *trial,
                  const RmPlanOptions *wanted, const RmPlanResult *plan,
                  RmPool *pool) {
  trial->measure = plan->measure;
  trial->fits = plan->fits;
  trial->cost_bound = plan->cost_bound;
  trial->proof = rm_proof_print(plan->proof, plan->proof_ops,
                                plan->num_proof_ops, options->pool);
  trial->budget_bound = plan->budget_bound;
  trial->bytes = rm_pool_bytes(pool);
  const char *wrong = judge(trial->subject, wanted, plan, pool);
  trial->wrong = wrong ? rm_pool_strdup(options->pool, wrong) : NULL;
  if (options->schedules)
    trial->schedule = rm_schedule_copy(&plan->schedule, options->pool);
}

Trial trial_run(const PlanOptions *options, const Subject *subject,
                const char *strategy, const char *label, int64_t budget,
                int effort) {
  RmPool *pool = rm_pool_create_or_abort();
  RmPlanOptions wanted = trial_options(options, strategy, effort);
  wanted.budget = budget;
  double begin = seconds_now();
  RmPlanResult result = rm_plan(subject->graph, &wanted, pool);
  Trial trial = {.subject = subject,
                 .strategy = strategy,
                 .label = label,
                 .budget = budget,
                 .effort = effort,
                 .reorder = options->reorder,
                 .seconds = seconds_now() - begin};
  trial_finish(options, &trial, &wanted, &result, pool);
  rm_pool_destroy(pool);
  return trial;
}

/*===-- The table and the report ------------------------------------------===*/

void trial_print_head(void) {
  printf("%-24s %7s %16s %-13s %1s %16s %8s %16s %8s %16s %7s %9s %11s\n",
         "graph", "ops", "budget", "strategy", "e", "cost", "over %", "bound",
         "gap %", "peak", "reruns", "seconds", "memory");
}

static const char *digits(bool is_known, int64_t number, RmPool *pool) {
  return is_known ? rm_pool_printf(pool, "%" PRId64, number) : "-";
}

static const char *verdict_of(const Trial *t) {
  if (t->fits)
    return t->proof;
  return t->budget_bound > t->budget ? "no plan can fit" : "no plan found";
}

void trial_print(const Trial *t, const char *remark, RmPool *pool) {
  const Subject *s = t->subject;
  char memory[32];
  progress_clear();
  printf("%-24s %7zu %16" PRId64 " %-13s %1d %16s %8s %16s %8s %16" PRId64
         " %7d %9.3f %11s",
         s->name, s->graph->ops.count, t->budget, t->strategy, t->effort,
         digits(t->fits, t->measure.cost, pool),
         t->fits ? percent_over(t->measure.cost, s->cost, pool) : "-",
         digits(t->fits, t->cost_bound, pool),
         t->fits ? percent_over(t->measure.cost, t->cost_bound, pool) : "-",
         t->measure.peak, t->measure.extra, t->seconds,
         rm_bytes_print((int64_t)t->bytes, memory, sizeof memory));
  if (t->wrong)
    printf("  WRONG: %s\n", t->wrong);
  else
    printf("  %s\n", *remark ? remark : verdict_of(t));
  fflush(stdout);
}

static void add_share(cJSON *object, const char *name, bool is_known, int64_t a,
                      int64_t b) {
  if (is_known && b)
    cJSON_AddNumberToObject(object, name,
                            100.0 * ((double)a - (double)b) / (double)b);
  else
    cJSON_AddNullToObject(object, name);
}

cJSON *trial_describe(const Trial *t, const char *kind) {
  const Subject *s = t->subject;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "kind", kind);
  cJSON_AddStringToObject(o, "graph", s->name);
  cJSON_AddNumberToObject(o, "ops", (double)s->graph->ops.count);
  cJSON_AddNumberToObject(o, "peak_before", (double)s->peak);
  cJSON_AddNumberToObject(o, "cost_before", (double)s->cost);
  cJSON_AddStringToObject(o, "at", t->label);
  cJSON_AddNumberToObject(o, "budget", (double)t->budget);
  cJSON_AddStringToObject(o, "strategy", t->strategy);
  cJSON_AddNumberToObject(o, "effort", t->effort);
  cJSON_AddBoolToObject(o, "reorder", t->reorder);
  cJSON_AddBoolToObject(o, "fits", t->fits);
  cJSON_AddNumberToObject(o, "cost", (double)t->measure.cost);
  add_share(o, "overhead", true, t->measure.cost, s->cost);
  cJSON_AddNumberToObject(o, "cost_bound", (double)t->cost_bound);
  cJSON_AddStringToObject(o, "cost_bound_by", t->proof);
  add_share(o, "gap", t->fits, t->measure.cost, t->cost_bound);
  cJSON_AddNumberToObject(o, "peak", (double)t->measure.peak);
  cJSON_AddNumberToObject(o, "peak_bound", (double)t->budget_bound);
  cJSON_AddNumberToObject(o, "recomputed_values", t->measure.recomputed);
  cJSON_AddNumberToObject(o, "recomputed_ops", t->measure.extra);
  cJSON_AddNumberToObject(o, "seconds", t->seconds);
  cJSON_AddNumberToObject(o, "memory", (double)t->bytes);
  if (t->wrong)
    cJSON_AddStringToObject(o, "wrong", t->wrong);
  if (t->schedule.steps)
    cJSON_AddItemToObject(
        o, "schedule",
        cJSON_CreateIntArray(t->schedule.steps, t->schedule.count));
  return o;
}

void report_add(const PlanOptions *o, cJSON *object) {
  char *text = o->report ? cJSON_PrintUnformatted(object) : NULL;
  if (o->report && !text)
    abort();
  if (text) {
    fprintf(o->report, "%s\n", text);
    fflush(o->report);
  }
  cJSON_free(text);
  cJSON_Delete(object);
}

/*===-- All of them -------------------------------------------------------===*/

static int worst(int a, int b) { return a > b ? a : b; }

static int plan_budgets(const PlanOptions *o, const Subject *s,
                        const char *strategy, int effort) {
  int status = ALL_WELL;
  for (size_t b = 0; b < o->budgets.count; ++b) {
    const Budget *budget = &o->budgets.items[b];
    progress_show("%s: %s at %s, effort %d", s->name, strategy, budget->text,
                  effort);
    Trial trial = trial_run(o, s, strategy, budget->text,
                            rm_amount_of(&budget->amount, s->peak), effort);
    report_add(o, trial_describe(&trial, "plan"));
    status = worst(status, trial.wrong ? WRONG : ALL_WELL);
    if (o->has_table)
      trial_print(&trial, "", o->pool);
  }
  return status;
}

static int plan_subject(const PlanOptions *o, const Subject *s) {
  int status = ALL_WELL;
  for (size_t i = 0; i < o->strategies.count; ++i) {
    for (size_t e = 0; e < o->efforts.count; ++e) {
      const char *strategy = o->strategies.items[i];
      int effort = o->efforts.items[e];
      if (o->minimum)
        status = worst(status, minimum_find(o, s, strategy, effort));
      if (o->sweep)
        status = worst(status, sweep_run(o, s, strategy, effort));
      if (!o->minimum && !o->sweep)
        status = worst(status, plan_budgets(o, s, strategy, effort));
    }
  }
  return status;
}

static bool read_subject(const char *path, Subject *s, RmPool *pool) {
  const char *error;
  char *text = file_read(path, pool);
  if (!text)
    return false;
  s->name = name_of_file(path, ".json", pool);
  s->graph = rm_graph_from_json(text, pool, &error);
  if (!s->graph) {
    fprintf(stderr, "remat-bench: %s: no graph: %s\n", path, error);
    return false;
  }
  RmSchedule all = rm_schedule_identity(s->graph, pool);
  RmMeasure measure = rm_schedule_measure(s->graph, &all, pool);
  s->peak = measure.peak;
  s->cost = measure.cost;
  return true;
}

static int plan_file(const PlanOptions *o, const char *path) {
  Subject subject = {0};
  int status = UNUSABLE;
  RmPool *pool = rm_pool_create_or_abort();
  progress_show("%s: reading", path);
  if (read_subject(path, &subject, pool))
    status = plan_subject(o, &subject);
  rm_pool_destroy(pool);
  return status;
}

static int fail_report(const char *path) {
  fprintf(stderr, "remat-bench: %s: cannot be written: %s\n", path,
          strerror(errno));
  return UNUSABLE;
}

static int close_report(PlanOptions *o) {
  if (!o->report || o->report == stdout)
    return ALL_WELL;
  bool written = !ferror(o->report);
  written = !fclose(o->report) && written;
  return written ? ALL_WELL : fail_report(o->json);
}

static int run(PlanOptions *o) {
  int status = ALL_WELL;
  o->has_table = !o->json || strcmp(o->json, "-");
  if (o->json)
    o->report = o->has_table ? fopen(o->json, "w") : stdout;
  if (o->json && !o->report)
    return fail_report(o->json);
  if (o->has_table)
    trial_print_head();
  for (size_t i = 0; i < o->files.count; ++i)
    status = worst(status, plan_file(o, o->files.items[i]));
  progress_clear();
  return worst(status, close_report(o));
}

int bench_plan(int argc, char **argv) {
  PlanOptions options = {.pool = rm_pool_create_or_abort()};
  int status = UNUSABLE;
  if (plan_options_read(&options, argc, argv)) {
    if (options.help)
      plan_options_print_help();
    status = options.help ? ALL_WELL : run(&options);
  }
  rm_pool_destroy(options.pool);
  return status;
}
