/* lib/pass/plan-pass.c - remat-plan: keep or recompute, within a budget.
 *
 * All functions are planned before any is changed, so that a function whose
 * budget cannot be met leaves the module as it was.
 *
 * needs:  functions of one block on tensors, or ops of unknown dialects
 * keeps:  every value, effect and their order
 * breaks: nothing; an input within its budget is not touched at all */
#include "pass/plan-pass.h"

#include "pass/passes.h"

#include <string.h>

/*===-- Planning one function ---------------------------------------------===*/

static bool has_forced(const RmFunctionPlan *f) {
  return memchr(f->forced, 1, f->ir->graph->ops.count) != NULL;
}

static RmPlanOptions options_of(const RmFunctionPlan *f, int64_t budget,
                                int strategy) {
  RmPlanOptions options = f->request->plan;
  options.budget = budget;
  options.strategy = strategy;
  options.gives_up = f->gives_up;
  if (has_forced(f))
    options.forced = f->forced;
  if (f->request->has_overhead && !f->request->has_budget)
    options.overhead = f->request->overhead;
  return options;
}

/* What outlives the pool that a plan or its bounds were made in. */
static void keep_proof(RmPlanResult *result, RmPool *pool) {
  int32_t count = result->num_proof_ops;
  int32_t *kept = RM_NEW_ARRAY(pool, int32_t, count);
  if (count)
    memcpy(kept, result->proof_ops, sizeof *kept * (size_t)count);
  result->proof_ops = kept;
}

/* Planning needs much memory for a short time: it gets a pool of its own. */
RmPlanResult rm_function_plan_live(const RmFunctionPlan *f, int64_t budget,
                                   int strategy) {
  RmPool *pool = rm_pool_create_or_abort();
  RmPlanOptions options = options_of(f, budget, strategy);
  RmPlanResult result = rm_plan(f->ir->graph, &options, pool);
  result.schedule = rm_schedule_copy(&result.schedule, f->request->pool);
  keep_proof(&result, f->request->pool);
  rm_pool_destroy(pool);
  return result;
}

static bool is_identity(const RmFunctionPlan *f, const RmSchedule *schedule) {
  for (int32_t i = 0; i < schedule->count; ++i)
    if (schedule->steps[i] != i)
      return false;
  return schedule->count == (int32_t)f->ir->graph->ops.count;
}

/* Arena or peak, as the fit says; -1 after a diagnostic. */
static int64_t bytes_of(const RmFunctionPlan *f, const RmPlanResult *result) {
  if (f->fit == RM_FIT_LIVE)
    return result->measure.peak;
  if (is_identity(f, &result->schedule))
    return f->before;
  return rm_plan_arena_of(f, &result->schedule);
}

static bool measure_before(RmFunctionPlan *f) {
  if (f->fit == RM_FIT_ARENA) {
    f->before = rm_plan_arena_of(f, NULL);
    return f->before >= 0;
  }
  RmSchedule all = rm_schedule_identity(f->ir->graph, f->request->pool);
  f->before = rm_schedule_measure(f->ir->graph, &all, f->request->pool).peak;
  return true;
}

/* 100 % is what keep-all needs, and with budget-scope=total what is not counted
 * otherwise. */
static bool find_budget(RmFunctionPlan *f) {
  const RmPlanRequest *request = f->request;
  f->budget = INT64_MAX;
  if (!request->has_budget)
    return true;
  int64_t whole = 0;
  if (request->budget.is_percent) {
    RmPlanResult all =
        rm_function_plan_live(f, INT64_MAX, rm_strategy_find("keep-all"));
    f->keep_all = bytes_of(f, &all);
    if (f->keep_all < 0)
      return false;
    whole = f->keep_all;
  }
  int64_t taken = request->reserve;
  if (request->ir.count_total)
    taken += rm_ir_uncounted_bytes(f->ir);
  int64_t budget = rm_amount_of(&request->budget,
                                whole + (request->ir.count_total ? taken : 0)) -
                   taken;
  f->budget = budget > 0 ? budget : 0;
  return true;
}

static void choose_fit(RmFunctionPlan *f, MlirOperation function) {
  MlirOperation culprit;
  f->fit = f->request->fit;
  if (f->fit != RM_FIT_AUTO)
    return;
  f->fit = RM_FIT_ARENA;
  if (rm_plan_can_bufferize(function, &culprit))
    return;
  f->fit = RM_FIT_LIVE;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(culprit));
  rm_emit(RM_REMARK, mlirOperationGetLocation(culprit),
          "remat-plan: fit=live, for '%.*s' does not bufferize",
          (int)name.length, name.data);
}

static bool carry_out_strategy(RmFunctionPlan *f) {
  bool aims = rm_strategy_needs_budget(f->request->plan.strategy);
  if (f->fit == RM_FIT_ARENA && aims && f->budget != INT64_MAX)
    return rm_plan_fit_arena(f);
  f->result = rm_function_plan_live(f, f->budget, f->request->plan.strategy);
  f->arena = bytes_of(f, &f->result);
  return f->arena >= 0;
}

/* The bounds of a plan within the budget, or else within what it needs itself.
 * One whose arena keeps the budget may hold more live bytes than that. */
static void find_bounds(RmFunctionPlan *f) {
  RmPool *pool = rm_pool_create_or_abort();
  int64_t peak = f->result.measure.peak, budget = f->budget;
  if (budget == INT64_MAX || budget < f->arena)
    budget = f->arena;
  if (f->fit == RM_FIT_ARENA)
    budget = (budget > peak ? budget : peak) + rm_plan_in_place_most(f);
  RmPlanOptions options = options_of(f, budget, RM_STRATEGY_AUTO);
  rm_plan_bound(f->ir->graph, &options, &f->result, pool);
  keep_proof(&f->result, f->request->pool);
  if (f->fit == RM_FIT_ARENA)
    rm_plan_bound_arena(f);
  rm_pool_destroy(pool);
}

/* With a budget and an overhead both must be kept. */
static bool check_overhead(const RmFunctionPlan *f) {
  const RmPlanRequest *request = f->request;
  double whole = (double)rm_graph_cost(f->ir->graph);
  double extra = (double)f->result.measure.cost - whole;
  if (!request->has_overhead || extra <= whole * request->overhead)
    return true;
  rm_plan_report_over(f);
  return false;
}

/* plan-in, a strategy, or nothing because the input is within its budget. */
static bool decide(RmFunctionPlan *f, RmPlanFile *in) {
  if (in) {
    if (!rm_plan_file_find(in, f))
      return false;
    f->arena = bytes_of(f, &f->result);
    return f->arena >= 0;
  }
  f->unchanged = rm_strategy_needs_budget(f->request->plan.strategy) &&
                 f->budget != INT64_MAX && f->before <= f->budget &&
                 !has_forced(f);
  if (!f->unchanged)
    return carry_out_strategy(f);
  RmPlanResult all = {.fits = true};
  all.schedule = rm_schedule_identity(f->ir->graph, f->request->pool);
  all.measure =
      rm_schedule_measure(f->ir->graph, &all.schedule, f->request->pool);
  all.cost_bound = all.measure.cost;
  f->result = all;
  f->arena = f->before;
  return true;
}

static bool plan_function(RmFunctionPlan *f, MlirOperation function,
                          RmPlanFile *in) {
  const RmPlanRequest *request = f->request;
  uint8_t *forced;
  choose_fit(f, function);
  RmIrOptions options = request->ir;
  options.fit = f->fit;
  f->ir = rm_ir_read(function, &options, request->pool);
  if (!f->ir || !rm_plan_pins(request, f->ir, &forced))
    return false;
  f->forced = forced;
  if (!measure_before(f) || !find_budget(f) || !decide(f, in))
    return false;
  if (f->unchanged)
    return true;
  find_bounds(f);
  if (f->arena > f->budget) {
    rm_plan_report_unfit(f);
    return request->best_effort;
  }
  return check_overhead(f);
}

/*===-- Changing ----------------------------------------------------------===*/

static void carry_out(const RmFunctionPlan *f) {
  if (f->unchanged) {
    rm_plan_report_unchanged(f);
    return;
  }
  RmRewrite done = rm_ir_write(f->ir, &f->result.schedule);
  rm_plan_set_attribute(f);
  rm_plan_report_done(f);
  rm_statistic_add(f->request->run, "recomputed", f->result.measure.recomputed);
  rm_statistic_add(f->request->run, "clones", done.clones);
  rm_statistic_add(f->request->run, "saved", f->before - f->arena);
}

static bool write_plan(const RmPlanRequest *request,
                       const RmFunctionPlan *plans, size_t count) {
  if (!*request->plan_out)
    return true;
  RmPlanFile *file = rm_plan_file_create();
  for (size_t i = 0; i < count; ++i)
    rm_plan_file_add(file, &plans[i]);
  bool right = rm_plan_file_write(file, request);
  rm_plan_file_destroy(file);
  return right;
}

static bool plan_module(RmPlanRequest *request, RmPlanFile *in) {
  RmFunctionVec functions = rm_plan_functions(request);
  RmFunctionPlan *plans =
      RM_NEW_ARRAY(request->pool, RmFunctionPlan, functions.count);
  bool unchanged = true;
  for (size_t i = 0; i < functions.count; ++i) {
    plans[i].request = request;
    if (!plan_function(&plans[i], functions.items[i], in))
      return false;
    unchanged &= plans[i].unchanged;
  }
  if (!write_plan(request, plans, functions.count))
    return false;
  for (size_t i = 0; i < functions.count; ++i)
    carry_out(&plans[i]);
  if (unchanged)
    rm_pass_unchanged(request->run);
  return true;
}

bool rm_pass_plan(MlirOperation module, RmPassRun *run) {
  RmPlanRequest request = {
      .run = run, .module = module, .pool = rm_pool_create_or_abort()};
  RmPlanFile *in = NULL;
  bool right = rm_plan_request_read(&request);
  if (right && *request.plan_in)
    right = (in = rm_plan_file_read(&request)) != NULL;
  right = right && plan_module(&request, in);
  rm_plan_file_destroy(in);
  rm_pool_destroy(request.pool);
  return right;
}
