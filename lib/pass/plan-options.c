/* lib/pass/plan-options.c - options of remat-plan, as text, into numbers. */
#include "pass/plan-pass.h"

#include <stdlib.h>
#include <string.h>

static MlirLocation place(const RmPlanRequest *request) {
  return mlirOperationGetLocation(request->module);
}

static bool read_budget(RmPlanRequest *request) {
  const char *text = rm_option_string(request->run, "budget");
  request->has_budget = *text != '\0';
  if (!request->has_budget || rm_amount_parse(text, &request->budget))
    return true;
  rm_emit(RM_ERROR, place(request), "remat-plan: budget '%s' is not %s", text,
          rm_amount_forms);
  return false;
}

static bool read_overhead(RmPlanRequest *request) {
  const char *text = rm_option_string(request->run, "overhead");
  char *end;
  request->has_overhead = *text != '\0';
  if (!request->has_overhead)
    return true;
  double percent = strtod(text, &end);
  if (end != text && !strcmp(end, "%") && percent >= 0 && percent <= 1e6) {
    request->overhead = percent / 100;
    return true;
  }
  rm_emit(RM_ERROR, place(request),
          "remat-plan: overhead '%s' is not a number of 0 or more followed by "
          "%% (5%%)",
          text);
  return false;
}

static bool is_in_range(const RmPlanRequest *request, const char *option,
                        int64_t low, int64_t high) {
  int64_t value = rm_option_int(request->run, option);
  if (value >= low && value <= high)
    return true;
  rm_emit(RM_ERROR, place(request),
          "remat-plan: %s is %lld, expected %lld to %lld", option,
          (long long)value, (long long)low, (long long)high);
  return false;
}

/* The strategies that aim at something need to be told at what. */
static bool read_goal(RmPlanRequest *request) {
  bool is_auto = request->plan.strategy == RM_STRATEGY_AUTO;
  if (request->has_budget || request->has_overhead || *request->plan_in ||
      !rm_strategy_needs_budget(request->plan.strategy))
    return true;
  if (is_auto) {
    request->has_overhead = true;
    request->overhead = 0.05;
    return true;
  }
  rm_emit(RM_ERROR, place(request),
          "remat-plan: this strategy needs a budget or an overhead");
  return false;
}

/* The first choice of the option is auto, the others are strategies in the
 * order of their table. */
static void read_plan(RmPlanRequest *request) {
  RmPassRun *run = request->run;
  request->plan = (RmPlanOptions){
      .overhead = -1,
      .strategy = rm_option_choice(run, "strategy") - 1,
      .n = (int32_t)rm_option_int(run, "n"),
      .effort = (int)rm_option_int(run, "effort"),
      .time_limit = (double)rm_option_int(run, "time-limit"),
      .reorder = rm_option_bool(run, "reorder"),
      .max_recompute = (int32_t)rm_option_int(run, "max-recompute"),
  };
}

static void read_ir(RmPlanRequest *request) {
  RmPassRun *run = request->run;
  request->ir = (RmIrOptions){
      .count_total = rm_option_choice(run, "budget-scope") == 1,
      .recompute_collectives = rm_option_choice(run, "collectives") == 1,
      .min_size = rm_option_size(run, "min-size"),
      .models = rm_option_string(run, "models"),
  };
}

bool rm_plan_request_read(RmPlanRequest *request) {
  RmPassRun *run = request->run;
  request->reserve = rm_option_size(run, "reserve");
  request->fit = (RmFit)rm_option_choice(run, "fit");
  request->best_effort = rm_option_bool(run, "best-effort");
  request->pin = rm_option_string(run, "pin");
  request->function = rm_option_string(run, "function");
  request->lowering = rm_option_string(run, "lowering");
  request->plan_in = rm_option_string(run, "plan-in");
  request->plan_out = rm_option_string(run, "plan-out");
  if (!is_in_range(request, "effort", 0, 3) ||
      !is_in_range(request, "n", 1, INT32_MAX) ||
      !is_in_range(request, "time-limit", 0, INT32_MAX) ||
      !is_in_range(request, "max-recompute", 0, INT32_MAX))
    return false;
  read_plan(request);
  read_ir(request);
  return read_budget(request) && read_overhead(request) && read_goal(request);
}
