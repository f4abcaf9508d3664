/* lib/pass/lower.c - the dialect's ops into what the next stage knows.
 *
 * A checkpoint stands for its operand, everywhere. What a fence becomes:
 *
 * - none: its operands. From here on nothing keeps cse from merging what was
 *   recomputed with its original.
 * - stablehlo: stablehlo.optimization_barrier over all operands, for XLA.
 *   Operands that are no tensors (or tokens) cannot go through it and stand for
 *   themselves.
 * - iree: util.optimization_barrier over all operands.
 *
 * Both sides of the fence go through the barrier: with one side alone XLA and
 * IREE undo the plan. For these two, attributes that told the planner something
 * (`remat.cost` and the like) go as well, whatever kind they are of: unit
 * attributes on StableHLO ops break their serialization. `remat.plan`, which
 * says what was decided, stays.
 *
 * needs:  nothing; for a barrier, its dialect or leave to do without
 * keeps:  everything else
 * breaks: the plan, if cse follows `none` */
#include "ir/build.h"
#include "pass/passes.h"

#include "mlir-c/BuiltinTypes.h"
#include "support/vec.h"

#include <string.h>

enum { TO_NONE, TO_STABLEHLO, TO_IREE };
static const char *const barriers[] = {NULL, "stablehlo.optimization_barrier",
                                       "util.optimization_barrier"};

typedef struct Lowering {
  RmPool *pool;
  int to;
  RM_VEC(MlirOperation) fences;
  RM_VEC(MlirOperation) checkpoints;
} Lowering;

static bool begins(MlirStringRef text, const char *prefix) {
  size_t length = strlen(prefix);
  return text.length >= length && !memcmp(text.data, prefix, length);
}

static bool is_hint(MlirStringRef name) {
  return begins(name, "remat.") &&
         !mlirStringRefEqual(name,
                             mlirStringRefCreateFromCString("remat.plan"));
}

static void drop_hints(MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name =
        mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
    if (is_hint(name))
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

static MlirWalkResult visit(MlirOperation op, void *context) {
  Lowering *lowering = context;
  if (rm_op_is_named(op, "remat.recompute"))
    rm_vec_push(lowering->pool, &lowering->fences, op);
  else if (rm_op_is_named(op, "remat.checkpoint"))
    rm_vec_push(lowering->pool, &lowering->checkpoints, op);
  else if (lowering->to != TO_NONE)
    drop_hints(op);
  return MlirWalkResultAdvance;
}

/* Puts `value` in place of result `i`. */
static void replace_result(MlirOperation op, intptr_t i, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), value);
}

static void replace_with_operands(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    replace_result(op, i, mlirOperationGetOperand(op, i));
  mlirOperationDestroy(op);
}

/* StableHLO's barrier takes tensors and tokens. */
static bool goes_through(MlirValue value, int to) {
  MlirType type = mlirValueGetType(value);
  return to != TO_STABLEHLO ||
         !(mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type) ||
           mlirTypeIsAFloat(type) || mlirTypeIsAComplex(type) ||
           mlirTypeIsAVector(type) || mlirTypeIsAMemRef(type) ||
           mlirTypeIsAUnrankedMemRef(type));
}

static bool replace_with_barrier(Lowering *lowering, MlirOperation fence) {
  intptr_t count = mlirOperationGetNumOperands(fence), inside = 0;
  MlirValue *operands = RM_NEW_ARRAY(lowering->pool, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    if (goes_through(mlirOperationGetOperand(fence, i), lowering->to))
      operands[inside++] = mlirOperationGetOperand(fence, i);
  if (!inside) {
    replace_with_operands(fence);
    return true;
  }
  MlirLocation where = mlirOperationGetLocation(fence);
  const char *name = barriers[lowering->to];
  MlirOperation barrier =
      rm_build_identity(name, operands, (int)inside, where, lowering->pool);
  if (mlirOperationIsNull(barrier)) {
    rm_emit(RM_ERROR, where,
            "option 'to': this context has no %s; load its dialect or allow "
            "unregistered dialects",
            name);
    return false;
  }
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(fence), fence,
                                      barrier);
  for (intptr_t i = 0, result = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(fence, i);
    replace_result(fence, i,
                   goes_through(operand, lowering->to)
                       ? mlirOperationGetResult(barrier, result++)
                       : operand);
  }
  mlirOperationDestroy(fence);
  return true;
}

static bool lower(Lowering *lowering, MlirOperation scope) {
  mlirOperationWalk(scope, visit, lowering, MlirWalkPostOrder);
  for (size_t i = 0; i < lowering->checkpoints.count; ++i)
    replace_with_operands(lowering->checkpoints.items[i]);
  for (size_t i = 0; i < lowering->fences.count; ++i)
    if (lowering->to == TO_NONE)
      replace_with_operands(lowering->fences.items[i]);
    else if (!replace_with_barrier(lowering, lowering->fences.items[i]))
      return false;
  return true;
}

bool rm_pass_lower(MlirOperation scope, RmPassRun *run) {
  Lowering lowering = {.pool = rm_pool_create_or_abort(),
                       .to = rm_option_choice(run, "to")};
  bool lowered = lower(&lowering, scope);
  rm_statistic_add(run, "fences", (int64_t)lowering.fences.count);
  rm_statistic_add(run, "checkpoints", (int64_t)lowering.checkpoints.count);
  rm_pool_destroy(lowering.pool);
  return lowered;
}
