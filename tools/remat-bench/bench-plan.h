/* tools/remat-bench/bench-plan.h - one graph, planned once or many times. */
#ifndef REMAT_BENCH_BENCH_PLAN_H
#define REMAT_BENCH_BENCH_PLAN_H

#include "bench.h"

#include "plan/plan.h"
#include "support/bytes.h"

#include <cjson/cJSON.h>
#include <stdio.h>

typedef struct Budget {
  const char *text; /* as it was written */
  RmAmount amount;  /* a part of the peak of the unchanged program, or bytes */
} Budget;

typedef struct Subject {
  const char *name;
  const RmGraph *graph;
  int64_t peak, cost; /* of the unchanged program */
} Subject;

typedef struct PlanOptions {
  RmPool *pool; /* holds all that outlives one plan */
  Words files;
  RM_VEC(Budget) budgets;
  Words strategies;
  RmIntVec efforts;
  int32_t n;
  bool reorder, minimum, schedules, help;
  int32_t sweep; /* budgets; 0: none */
  const char *json;
  FILE *report; /* one object a line; null: none */
  bool has_table;
} PlanOptions;

typedef struct Trial {
  const Subject *subject;
  const char *strategy, *label; /* the budget as it was written */
  int64_t budget;
  int effort;
  bool reorder;
  RmMeasure measure;
  bool fits;
  int64_t cost_bound, budget_bound;
  const char *proof; /* of cost_bound, in words */
  double seconds;
  size_t bytes;        /* of memory that planning took */
  const char *wrong;   /* null if the plan is what it says */
  RmSchedule schedule; /* null steps unless asked for */
} Trial;

/* False after a message. */
bool plan_options_read(PlanOptions *options, int argc, char **argv);
void plan_options_print_help(void);

/* Plans in a pool of its own, and judges the plan by the verifier. */
Trial trial_run(const PlanOptions *options, const Subject *subject,
                const char *strategy, const char *label, int64_t budget,
                int effort);

RmPlanOptions trial_options(const PlanOptions *options, const char *strategy,
                            int effort);

/* Takes over what the plan says, judges it, and notes what `pool`, in which it
 * was made, took. */
void trial_finish(const PlanOptions *options, Trial *trial,
                  const RmPlanOptions *wanted, const RmPlanResult *plan,
                  RmPool *pool);

/* Each returns a status, and shows and reports what it found. */
int minimum_find(const PlanOptions *options, const Subject *subject,
                 const char *strategy, int effort);
int sweep_run(const PlanOptions *options, const Subject *subject,
              const char *strategy, int effort);

void trial_print_head(void);
void trial_print(const Trial *trial, const char *remark, RmPool *pool);

/* What the trial is of, `kind`, comes first. */
cJSON *trial_describe(const Trial *trial, const char *kind);

/* Writes the object as one line of the report, and deletes it. */
void report_add(const PlanOptions *options, cJSON *object);

#endif
