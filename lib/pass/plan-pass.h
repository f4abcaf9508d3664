/* lib/pass/plan-pass.h - what the files of remat-plan share.
 *
 *     plan-pass.c       the pass: which functions, in which order of questions
 *     plan-options.c    options as text into numbers, with diagnostics
 *     plan-functions.c  who calls whom
 *     plan-pins.c       marks of the user on values
 *     plan-arena.c      the module's own lowering, and fitting a plan to it
 *     plan-report.c     remark, error, attribute
 *     plan-file.c       plan-out, plan-in */
#ifndef RM_PASS_PLAN_PASS_H
#define RM_PASS_PLAN_PASS_H

#include "ir/ir.h"
#include "plan/plan.h"
#include "shim/shim.h"
#include "support/bytes.h"

typedef struct RmPlanRequest {
  RmPassRun *run;
  MlirOperation module;
  RmPool *pool;
  bool has_budget, has_overhead;
  RmAmount budget;
  double overhead; /* a fraction */
  int64_t reserve;
  RmFit fit;
  bool best_effort;
  const char *pin, *function, *lowering, *plan_in, *plan_out;
  RmIrOptions ir;
  RmPlanOptions plan; /* budget not set yet */
} RmPlanRequest;

/* False after a diagnostic. */
bool rm_plan_request_read(RmPlanRequest *request);

/* The functions to plan: those with a body that nobody in the module calls and
 * that match the option; those on a call cycle are left, with a remark. */
typedef RM_VEC(MlirOperation) RmFunctionVec;
RmFunctionVec rm_plan_functions(const RmPlanRequest *request);

/* Carries the user's marks into the graph; false after a diagnostic. `forced`
 * are the ops whose values must not be held from the forward into the
 * backward. */
bool rm_plan_pins(const RmPlanRequest *request, RmIr *ir, uint8_t **forced);

/* One function on its way. */
typedef struct RmFunctionPlan {
  const RmPlanRequest *request;
  RmIr *ir;
  RmFit fit;
  const uint8_t *forced;
  int64_t budget;    /* in bytes; INT64_MAX if there is none */
  int64_t uncounted; /* bytes that budget-scope=total and reserve take */
  int64_t before;    /* arena (peak) of the input in its own order */
  int64_t keep_all;  /* arena (peak) of strategy=keep-all */
  int64_t arena;     /* of the plan */
  RmPlanResult result;
  bool unchanged;
  bool gives_up; /* what does not fit is not wanted */
} RmFunctionPlan;

/* What the planner would do within `budget` live bytes. */
RmPlanResult rm_function_plan_live(const RmFunctionPlan *f, int64_t budget,
                                   int strategy);

/* The bytes that the function allocates after the lowering when it runs
 * `schedule` (null: as it stands); -1 after a diagnostic. */
int64_t rm_plan_arena_of(const RmFunctionPlan *f, const RmSchedule *schedule);

/* Whether all ops of the function bufferize; else `*culprit` is one that does
 * not. */
bool rm_plan_can_bufferize(MlirOperation function, MlirOperation *culprit);

/* Corrects the budget of live bytes until the arena fits. False after a
 * diagnostic of the lowering. */
bool rm_plan_fit_arena(RmFunctionPlan *f);

/* Sets the bound on any plan's arena, and the op that needs it. */
void rm_plan_bound_arena(RmFunctionPlan *f);

/* How many bytes below its live bytes the arena of a plan may be. */
int64_t rm_plan_in_place_most(const RmFunctionPlan *f);

void rm_plan_report_done(const RmFunctionPlan *f);
void rm_plan_report_unchanged(const RmFunctionPlan *f);
void rm_plan_report_unfit(const RmFunctionPlan *f);
void rm_plan_report_over(const RmFunctionPlan *f);
void rm_plan_set_attribute(const RmFunctionPlan *f);

/* Adds the plan to what plan-out will hold. */
typedef struct RmPlanFile RmPlanFile;
RmPlanFile *rm_plan_file_create(void);
void rm_plan_file_add(RmPlanFile *file, const RmFunctionPlan *f);
bool rm_plan_file_write(RmPlanFile *file, const RmPlanRequest *request);

/* Opens plan-in; null after a diagnostic. */
RmPlanFile *rm_plan_file_read(const RmPlanRequest *request);

/* The schedule of the function; false after a diagnostic. */
bool rm_plan_file_find(RmPlanFile *file, RmFunctionPlan *f);
void rm_plan_file_destroy(RmPlanFile *file);

#endif
