/* lib/pass/plan-functions.c - which functions of a module get the budget.
 *
 * A function that some op of the module calls is planned and counted inside its
 * callers. One that can reach itself by calls is left alone: its bytes have no
 * bound. Calls are found by the symbols that ops outside of the symbol table
 * name: `callee`, or any other flat symbol reference. */
#include "pass/plan-pass.h"

#include "pass/ops.h"
#include "support/map.h"

#include "mlir-c/BuiltinAttributes.h"

#include <fnmatch.h>
#include <string.h>

typedef struct Calls {
  RmPool *pool;
  RmFunctionVec functions;
  RmMap by_name;     /* hash of a name to its place */
  RmIntVec *callees; /* by function */
  bool *is_called;
  int32_t current;
} Calls;

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
}

static uint64_t key_of(MlirStringRef name) {
  return rm_hash_bytes(name.data, name.length, 0);
}

static void find_functions(Calls *calls, MlirOperation module) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  if (mlirBlockIsNull(body))
    return;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!rm_op_is(op, "func.func"))
      continue;
    rm_map_set(&calls->by_name, key_of(name_of(op)),
               (int64_t)calls->functions.count);
    rm_vec_push(calls->pool, &calls->functions, op);
  }
}

static MlirWalkResult note_symbols(MlirOperation op, void *user) {
  Calls *calls = user;
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirAttribute attribute = mlirOperationGetAttribute(op, i).attribute;
    if (!mlirAttributeIsAFlatSymbolRef(attribute))
      continue;
    int64_t callee = rm_map_or(
        &calls->by_name, key_of(mlirFlatSymbolRefAttrGetValue(attribute)), -1);
    if (callee < 0)
      continue;
    calls->is_called[callee] = true;
    rm_vec_push(calls->pool, &calls->callees[calls->current], (int32_t)callee);
  }
  return MlirWalkResultAdvance;
}

/* Whether `function` can reach itself. */
static bool is_on_cycle(const Calls *calls, int32_t function) {
  bool *seen = RM_NEW_ARRAY(calls->pool, bool, calls->functions.count);
  RmIntVec work = {0};
  rm_vec_push(calls->pool, &work, function);
  while (work.count) {
    const RmIntVec *callees = &calls->callees[work.items[--work.count]];
    for (size_t i = 0; i < callees->count; ++i) {
      int32_t callee = callees->items[i];
      if (callee == function)
        return true;
      if (!seen[callee])
        rm_vec_push(calls->pool, &work, callee);
      seen[callee] = true;
    }
  }
  return false;
}

static bool has_body(MlirOperation function) {
  return !mlirBlockIsNull(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

static bool matches(const RmPlanRequest *request, MlirOperation function) {
  MlirStringRef name = name_of(function);
  const char *text =
      rm_pool_printf(request->pool, "%.*s", (int)name.length, name.data);
  return fnmatch(request->function, text, 0) == 0;
}

static Calls read_calls(const RmPlanRequest *request) {
  Calls calls = {.pool = request->pool,
                 .by_name = rm_map_create(request->pool)};
  find_functions(&calls, request->module);
  calls.callees = RM_NEW_ARRAY(request->pool, RmIntVec, calls.functions.count);
  calls.is_called = RM_NEW_ARRAY(request->pool, bool, calls.functions.count);
  for (size_t i = 0; i < calls.functions.count; ++i) {
    calls.current = (int32_t)i;
    mlirOperationWalk(calls.functions.items[i], note_symbols, &calls,
                      MlirWalkPreOrder);
  }
  return calls;
}

RmFunctionVec rm_plan_functions(const RmPlanRequest *request) {
  Calls calls = read_calls(request);
  RmFunctionVec chosen = {0};
  bool has_match = !strcmp(request->function, "*");
  for (size_t i = 0; i < calls.functions.count; ++i) {
    MlirOperation function = calls.functions.items[i];
    if (!has_body(function) || !matches(request, function))
      continue;
    has_match = true;
    if (is_on_cycle(&calls, (int32_t)i))
      rm_emit(RM_REMARK, mlirOperationGetLocation(function),
              "remat-plan: on a call cycle, left as it is");
    else if (!calls.is_called[i])
      rm_vec_push(request->pool, &chosen, function);
  }
  if (!has_match)
    rm_emit(RM_WARNING, mlirOperationGetLocation(request->module),
            "remat-plan: function='%s' is the name of no function with a body",
            request->function);
  return chosen;
}
