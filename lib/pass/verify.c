/* lib/pass/verify.c - is this a right plan of that program?
 *
 * Trusts nobody: what the functions compute is settled by value numbering of
 * the IR alone (see ir/compare.h), live bytes are counted from nothing. What
 * `remat.plan` claims is checked against that count and against the budget.
 *
 * needs:  nothing
 * keeps:  everything
 * breaks: nothing */
#include "ir/compare.h"
#include "ir/ir.h"
#include "pass/ops.h"
#include "pass/passes.h"
#include "pass/verify-plan.h"

#include "mlir-c/BuiltinAttributes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Verification {
  MlirOperation module;
  RmPool *pool;
  RmCompareOptions options;
  const RmPlanText *plan; /* null if none is given */
} Verification;

/*===-- The original ------------------------------------------------------===*/

/* Null after a diagnostic. The caller destroys it. */
static MlirModule parse_original(Verification *v, const char *path) {
  MlirLocation where = mlirOperationGetLocation(v->module);
  MlirModule original = {NULL};
  FILE *file = fopen(path, "rb");
  if (!file) {
    rm_emit(RM_ERROR, where, "option 'original': cannot read '%s': %s", path,
            strerror(errno));
    return original;
  }
  fclose(file);
  original = mlirModuleCreateParseFromFile(mlirOperationGetContext(v->module),
                                           rm_str(path));
  if (mlirModuleIsNull(original))
    rm_emit(RM_ERROR, where, "option 'original': '%s' is no valid module",
            path);
  return original;
}

/*===-- Budgets -----------------------------------------------------------===*/

/* A number of the plan's record, or -1. */
static int64_t recorded(MlirAttribute plan, const char *name) {
  MlirAttribute number = mlirDictionaryAttrGetElementByName(plan, rm_str(name));
  return mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number)
             ? -1
             : mlirIntegerAttrGetValueInt(number);
}

/* What must be kept: best-effort says of itself that it does not. */
static int64_t recorded_budget(MlirAttribute plan) {
  bool is_over = !mlirAttributeIsNull(
      mlirDictionaryAttrGetElementByName(plan, rm_str("best_effort")));
  return is_over ? -1 : recorded(plan, "budget");
}

static bool check_within(MlirOperation function, const char *what,
                         int64_t bytes, const char *limit, int64_t most) {
  if (most < 0 || bytes <= most)
    return true;
  rm_emit(RM_ERROR, mlirOperationGetLocation(function),
          "%s %" PRId64 " B is over the %s of %" PRId64 " B", what, bytes,
          limit, most);
  return false;
}

static bool check_live(Verification *v, MlirOperation function,
                       MlirAttribute plan) {
  RmIrOptions options = {.fit = RM_FIT_LIVE, .models = v->options.models};
  RmIr *ir = rm_ir_read(function, &options, v->pool);
  if (!ir)
    return false;
  RmSchedule schedule = rm_schedule_identity(ir->graph, v->pool);
  int64_t peak = rm_schedule_measure(ir->graph, &schedule, v->pool).peak;
  return check_within(function, "a peak of", peak, "peak recorded",
                      recorded(plan, "peak")) &&
         check_within(function, "a peak of", peak, "budget",
                      recorded_budget(plan));
}

/* What a record claims must be so. */
static bool check_record(Verification *v, MlirOperation function) {
  MlirAttribute plan = mlirOperationGetDiscardableAttributeByName(
      function, rm_str("remat.plan"));
  if (mlirAttributeIsNull(plan) || !mlirAttributeIsADictionary(plan))
    return true;
  int64_t arena = recorded(plan, "arena");
  return arena < 0 ? check_live(v, function, plan)
                   : check_within(function, "an arena of", arena, "budget",
                                  recorded_budget(plan));
}

/*===-- Functions ---------------------------------------------------------===*/

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
}

static uint64_t key_of(MlirStringRef name) {
  return rm_hash_bytes(name.data, name.length, 0);
}

static MlirOperation first_op(MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  return mlirBlockGetFirstOperation(body);
}

/* The next func.func from `op` on; null if there is none. */
static MlirOperation find_function(MlirOperation op) {
  while (!mlirOperationIsNull(op) && !rm_op_is(op, "func.func"))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

typedef RM_VEC(MlirOperation) Functions;

static Functions list_functions(Verification *v, MlirOperation module,
                                RmMap *by_name) {
  Functions functions = {0};
  for (MlirOperation f = find_function(first_op(module));
       !mlirOperationIsNull(f);
       f = find_function(mlirOperationGetNextInBlock(f))) {
    rm_map_set(by_name, key_of(name_of(f)), (int64_t)functions.count);
    rm_vec_push(v->pool, &functions, f);
  }
  return functions;
}

static bool check_function(Verification *v, MlirOperation function,
                           const Functions *originals, const RmMap *by_name) {
  int64_t at = rm_map_or(by_name, key_of(name_of(function)), -1);
  if (at < 0) {
    rm_emit(RM_ERROR, mlirOperationGetLocation(function),
            "the original has no function '%.*s'",
            (int)name_of(function).length, name_of(function).data);
    return false;
  }
  MlirOperation original = originals->items[at];
  return rm_ir_compare(function, original, &v->options, v->pool) &&
         check_record(v, function) &&
         (!v->plan || rm_plan_text_verify(v->plan, function, original,
                                          v->options.models, v->pool));
}

static bool check_none_missing(Verification *v, const Functions *originals,
                               const RmMap *by_name) {
  for (size_t i = 0; i < originals->count; ++i) {
    MlirStringRef name = name_of(originals->items[i]);
    if (rm_map_or(by_name, key_of(name), -1) >= 0)
      continue;
    rm_emit(RM_ERROR, mlirOperationGetLocation(v->module),
            "function '%.*s' of the original is missing", (int)name.length,
            name.data);
    return false;
  }
  return true;
}

/* Each wrong function is reported. */
static bool check_modules(Verification *v, MlirOperation original) {
  RmMap original_names = rm_map_create(v->pool);
  RmMap names = rm_map_create(v->pool);
  Functions originals = list_functions(v, original, &original_names);
  Functions functions = list_functions(v, v->module, &names);
  bool right = check_none_missing(v, &originals, &names);
  for (size_t i = 0; i < functions.count; ++i)
    right &= check_function(v, functions.items[i], &originals, &original_names);
  return right;
}

static bool verify(Verification *v, const char *path) {
  if (!*path) {
    rm_emit(RM_ERROR, mlirOperationGetLocation(v->module),
            "remat-verify: option 'original' is to name the file of the "
            "program before planning");
    return false;
  }
  MlirModule original = parse_original(v, path);
  if (mlirModuleIsNull(original))
    return false;
  bool right = check_modules(v, mlirModuleGetOperation(original));
  mlirModuleDestroy(original);
  return right;
}

bool rm_pass_verify(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  Verification v = {.module = module,
                    .pool = pool,
                    .options = {.recompute_collectives =
                                    rm_option_choice(run, "collectives") == 1,
                                .models = rm_option_string(run, "models")}};
  const char *path = rm_option_string(run, "plan-in");
  RmPlanText *plan = NULL;
  if (*path)
    plan = rm_plan_text_read(path, mlirOperationGetLocation(module), pool);
  v.plan = plan;
  rm_pass_unchanged(run);
  bool right =
      (plan || !*path) && verify(&v, rm_option_string(run, "original"));
  rm_plan_text_destroy(plan);
  rm_pool_destroy(pool);
  return right;
}
