/* lib/pass/memory-calls.c - the arena of a callee lies in that of its caller.
 *
 * Callees are planned before their callers. A private function that nothing but
 * calls refers to is lent its arena by each caller: a buffer that is alive
 * during the call, which the caller places like its others. So an arena holds
 * what is alive along the deepest way through the calls, not the sum of all
 * functions. A function on a cycle of calls, or above one, keeps its own.
 *
 * Invariant: `order` holds each function once, callees first where nothing is
 * on a cycle. */

#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"

typedef struct Walk {
  RmMemoryCalls *calls;
  RmPool *pool;
  RmMap numbers; /* of functions, by pointer */
  MlirSymbolTable functions;
  MlirOperation module;
} Walk;

static RmMemoryFunction *function_of(Walk *w, MlirOperation op) {
  int64_t number = rm_map_or(&w->numbers, rm_map_pointer(op.ptr), -1);
  return number < 0 ? NULL : &w->calls->functions.items[number];
}

static MlirOperation top_of(const Walk *w, MlirOperation op) {
  return rm_ancestor_in(
      op, mlirRegionGetFirstBlock(mlirOperationGetRegion(w->module, 0)));
}

/* A call without attributes for its operands can be given one more. */
static bool note_call(Walk *w, MlirOperation op) {
  MlirOperation callee = rm_callee_of(op, w->functions);
  MlirOperation caller = top_of(w, op);
  if (mlirOperationIsNull(callee) || !function_of(w, caller) ||
      !mlirAttributeIsNull(
          mlirOperationGetAttributeByName(op, rm_str("arg_attrs"))))
    return false;
  RmMemoryFunction *called = function_of(w, callee);
  RmMemoryCall call = {op, function_of(w, caller), called->first_call};
  ++call.caller->num_waiting;
  called->first_call = (int32_t)w->calls->calls.count;
  rm_vec_push(w->pool, &w->calls->calls, call);
  return true;
}

static MlirWalkResult note(MlirOperation op, void *user) {
  Walk *w = user;
  if (!rm_op_is(op, "func.call") || !note_call(w, op))
    rm_references_note(&w->calls->referred, op);
  return MlirWalkResultAdvance;
}

/* Those that wait for no callee, again and again; the rest as it stands. */
static void sort(RmMemoryCalls *c, RmPool *pool) {
  size_t count = c->functions.count;
  c->order = RM_NEW_ARRAY(pool, RmMemoryFunction *, count);
  for (size_t i = 0; i < count; ++i)
    if (!c->functions.items[i].num_waiting)
      c->order[c->num_sorted++] = &c->functions.items[i];
  for (size_t k = 0; k < c->num_sorted; ++k)
    for (int32_t i = c->order[k]->first_call; i >= 0;
         i = c->calls.items[i].next)
      if (!--c->calls.items[i].caller->num_waiting)
        c->order[c->num_sorted++] = c->calls.items[i].caller;
  for (size_t i = 0, rest = c->num_sorted; i < count; ++i)
    if (c->functions.items[i].num_waiting)
      c->order[rest++] = &c->functions.items[i];
}

RmMemoryCalls *rm_memory_calls(MlirOperation module, MlirSymbolTable functions,
                               RmPool *pool) {
  RmMemoryCalls *c = RM_NEW(pool, RmMemoryCalls);
  c->referred = rm_map_create(pool);
  Walk w = {c, pool, rm_map_create(pool), functions, module};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    RmMemoryFunction function = {.op = op, .first_call = -1};
    if (!rm_is_function_with_body(op))
      continue;
    rm_map_set(&w.numbers, rm_map_pointer(op.ptr), (int64_t)c->functions.count);
    rm_vec_push(pool, &c->functions, function);
  }
  mlirOperationWalk(module, note, &w, MlirWalkPreOrder);
  sort(c, pool);
  for (size_t k = 0; k < c->num_sorted; ++k)
    c->order[k]->is_only_called =
        c->order[k]->first_call >= 0 && rm_is_private(c->order[k]->op) &&
        !rm_is_referred_to(&c->referred, c->order[k]->op);
  return c;
}

static void lend_at(RmMemoryPlanner *p, MlirOperation call,
                    const RmArena *arena, const RmArenaPart *part) {
  intptr_t count = mlirOperationGetNumOperands(call);
  MlirValue *operands = RM_NEW_ARRAY(p->pool, MlirValue, count + 1);
  for (intptr_t k = 0; k < count; ++k)
    operands[k] = mlirOperationGetOperand(call, k);
  operands[count] =
      mlirOperationGetResult(rm_memory_allocate(p, arena, part, call), 0);
  mlirOperationSetOperands(call, count + 1, operands);
  rm_op_insert(mlirOperationGetNextInBlock(call), "memref.dealloc", 1,
               &operands[count], (MlirType){NULL});
}

void rm_memory_lend_at_calls(RmMemoryPlanner *p, const RmArena *arena,
                             const RmArenaPart *part) {
  for (int32_t i = p->called->first_call; i >= 0;
       i = p->calls->calls.items[i].next)
    lend_at(p, p->calls->calls.items[i].op, arena, part);
}
