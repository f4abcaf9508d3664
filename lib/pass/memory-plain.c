/* lib/pass/memory-plain.c - ops that are copies and fills, as such.
 *
 * What bufferization leaves says some things in a way that hides them:
 *
 *   - a copy of a constant whose elements are all equal is a fill, and the
 *     constant need not be stored;
 *   - a linalg.map without inputs that yields a value from outside is a fill;
 *   - a linalg.generic that yields its input, and gives it dimensions of size 1
 *     at most, is a copy of a view.
 *
 * needs:  bufferized functions
 * keeps:  every value */

#include "pass/memory-layout.h"
#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

typedef RmMemoryPlanner Planner;

void rm_memory_replace_by_fill(MlirOperation place, MlirValue scalar,
                               MlirValue buffer) {
  MlirContext context = mlirOperationGetContext(place);
  MlirNamedAttribute segments = mlirNamedAttributeGet(
      mlirIdentifierGet(context, rm_str("operandSegmentSizes")),
      mlirDenseI32ArrayGet(context, 2, (int32_t[]){1, 1}));
  MlirRegion region = mlirRegionCreate();
  MlirOperationState state = mlirOperationStateGet(
      rm_str("linalg.fill"), mlirOperationGetLocation(place));
  mlirOperationStateAddOperands(&state, 2, (MlirValue[]){scalar, buffer});
  mlirOperationStateAddAttributes(&state, 1, &segments);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation fill = mlirOperationCreate(&state);
  mlirLinalgFillBuiltinNamedOpRegion(fill);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place,
                                      fill);
  mlirOperationDestroy(place);
}

/*===-- Splats ------------------------------------------------------------===*/

static bool is_constant(MlirOperation global) {
  return !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(global, rm_str("constant")));
}

MlirAttribute rm_memory_splat(Planner *p, MlirOperation get_global) {
  MlirAttribute none = {NULL};
  if (!rm_op_is(get_global, "memref.get_global"))
    return none;
  MlirOperation global = mlirSymbolTableLookup(
      p->functions,
      mlirFlatSymbolRefAttrGetValue(
          mlirOperationGetAttributeByName(get_global, rm_str("name"))));
  if (mlirOperationIsNull(global) || !is_constant(global))
    return none;
  MlirAttribute value =
      mlirOperationGetAttributeByName(global, rm_str("initial_value"));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsADenseElements(value) ||
      !mlirDenseElementsAttrIsSplat(value))
    return none;
  MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(value);
  return mlirAttributeIsAFloat(splat) || mlirAttributeIsAInteger(splat) ? splat
                                                                        : none;
}

static bool fill_with_splat(Planner *p, MlirOperation copy) {
  MlirOperation source = rm_defining_op(mlirOperationGetOperand(copy, 0));
  MlirAttribute splat = rm_memory_splat(p, source);
  if (mlirAttributeIsNull(splat))
    return false;
  rm_memory_replace_by_fill(copy, rm_op_insert_constant(copy, splat),
                            mlirOperationGetOperand(copy, 1));
  if (mlirOpOperandIsNull(
          mlirValueGetFirstUse(mlirOperationGetResult(source, 0))))
    mlirOperationDestroy(source);
  p->fills_splats = true;
  return true;
}

static MlirWalkResult note_constant(MlirOperation op, void *user) {
  if (rm_op_is(op, "memref.get_global")) {
    MlirAttribute name = mlirOperationGetAttributeByName(op, rm_str("name"));
    rm_references_add(user, mlirFlatSymbolRefAttrGetValue(name));
  }
  return MlirWalkResultAdvance;
}

void rm_memory_erase_constants(RmMemoryPlanner *p, RmPool *pool) {
  RmMap referred = rm_references(p->module, pool);
  mlirOperationWalk(p->module, note_constant, &referred, MlirWalkPreOrder);
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(p->module, 0));
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (rm_op_is(op, "memref.global") && rm_is_private(op) && is_constant(op) &&
        !rm_is_referred_to(&referred, op))
      mlirSymbolTableErase(p->functions, op);
  }
}

/*===-- Bodies that only yield --------------------------------------------===*/

/* What the body of a linalg op yields if it does nothing else; else null. */
static MlirValue only_yielded(MlirOperation op) {
  MlirOperation yield = rm_yield_of(op, 0);
  bool is_alone =
      rm_op_is(yield, "linalg.yield") &&
      mlirOperationEqual(
          yield, mlirBlockGetFirstOperation(mlirOperationGetBlock(yield))) &&
      mlirOperationGetNumOperands(yield) == 1;
  return is_alone ? mlirOperationGetOperand(yield, 0) : (MlirValue){NULL};
}

static bool fill_with_yielded(MlirOperation op) {
  MlirValue value = only_yielded(op);
  if (mlirOperationGetNumOperands(op) != 1 || mlirValueIsNull(value) ||
      mlirValueIsABlockArgument(value))
    return false;
  rm_memory_replace_by_fill(op, value, mlirOperationGetOperand(op, 0));
  return true;
}

/* For each dimension of `shape` the one of the input that it is, or -1; false
 * if `map` turns, drops or repeats dimensions, or widens one that is not 1. */
static bool find_dimensions(MlirAffineMap map, MlirType shape, intptr_t *of) {
  intptr_t rank = mlirShapedTypeGetRank(shape), last = -1;
  for (intptr_t d = 0; d < rank; ++d)
    of[d] = -1;
  for (intptr_t i = 0; i < mlirAffineMapGetNumResults(map); ++i) {
    MlirAffineExpr expression = mlirAffineMapGetResult(map, i);
    intptr_t d = mlirAffineExprIsADim(expression)
                     ? mlirAffineDimExprGetPosition(expression)
                     : -1;
    if (d <= last)
      return false;
    of[d] = i;
    last = d;
  }
  for (intptr_t d = 0; d < rank; ++d)
    if (of[d] < 0 && mlirShapedTypeGetDimSize(shape, d) != 1)
      return false;
  return true;
}

/* New dimensions go with the one before them, or else with the first. */
static MlirAttribute groups_for(MlirContext context, const intptr_t *of,
                                intptr_t rank, intptr_t inputs, RmPool *pool) {
  MlirAttribute *groups = RM_NEW_ARRAY(pool, MlirAttribute, inputs);
  MlirAttribute *members = RM_NEW_ARRAY(pool, MlirAttribute, rank);
  MlirType type = mlirIntegerTypeGet(context, 64);
  for (intptr_t i = 0, d = 0; i < inputs; ++i) {
    intptr_t count = 0;
    for (; d < rank && of[d] <= i; ++d)
      members[count++] = mlirIntegerAttrGet(type, d);
    groups[i] = mlirArrayAttrGet(context, count, members);
  }
  return mlirArrayAttrGet(context, inputs, groups);
}

static bool is_plain_generic(MlirOperation op) {
  if (!rm_op_is(op, "linalg.generic") || mlirOperationGetNumOperands(op) != 2 ||
      rm_op_num_inits(op) != 1)
    return false;
  MlirValue yielded = only_yielded(op);
  if (mlirValueIsNull(yielded) || !mlirValueIsABlockArgument(yielded) ||
      mlirBlockArgumentGetArgNumber(yielded) != 0)
    return false;
  for (intptr_t i = 0; i < 2; ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type))
      return false;
  }
  return true;
}

static bool copy_as_yielded(Planner *p, MlirOperation op) {
  enum { MOST_RANK = 32 };
  intptr_t of[MOST_RANK];
  if (!is_plain_generic(op))
    return false;
  MlirValue from = mlirOperationGetOperand(op, 0);
  MlirValue to = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(to);
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  MlirAffineMap map =
      mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 0));
  intptr_t rank = mlirShapedTypeGetRank(type);
  intptr_t inputs = mlirAffineMapGetNumResults(map);
  if (rank > MOST_RANK ||
      !mlirAffineMapIsIdentity(
          mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, 1))) ||
      !find_dimensions(map, type, of))
    return false;
  if (inputs < rank)
    from = rm_layout_expand(
        op, from, groups_for(p->context, of, rank, inputs, p->pool), type);
  if (mlirValueIsNull(from))
    return false;
  rm_op_insert(op, "memref.copy", 2, (MlirValue[]){from, to}, (MlirType){NULL});
  mlirOperationDestroy(op);
  return true;
}

static MlirWalkResult say_plainly(MlirOperation op, void *user) {
  Planner *p = user;
  p->changed |= (rm_op_is(op, "memref.copy") && fill_with_splat(p, op)) ||
                (rm_op_is(op, "linalg.map") && fill_with_yielded(op)) ||
                copy_as_yielded(p, op);
  return MlirWalkResultAdvance;
}

void rm_memory_say_plainly(RmMemoryPlanner *p) {
  mlirOperationWalk(p->function, say_plainly, p, MlirWalkPostOrder);
}
