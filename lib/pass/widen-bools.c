/* lib/pass/widen-bools.c - in memory a bool is a byte.
 *
 * MLIR's way from memrefs to LLVM refuses integers below eight bits where its
 * assertions are on, and without them relies on how LLVM pads an i1. So every
 * memref of i1 becomes one of i8: a load is followed by a truncation, a store
 * preceded by an extension, and whatever else has the type in its results,
 * block arguments or attributes is retyped in place. Bytes and layout stay.
 *
 * needs:  loads and stores are memref.load and memref.store
 * keeps:  everything else
 * breaks: nothing */
#include "pass/ops.h"
#include "pass/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

typedef struct Widening {
  MlirType bit, byte;
  RmPool *pool;
  RmPassRun *run;
} Widening;

static bool is_bits(const Widening *w, MlirType type) {
  return (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type)) &&
         mlirTypeEqual(mlirShapedTypeGetElementType(type), w->bit);
}

/* The type with bytes for bits; `type` itself if it is no memref of bits. */
static MlirType widen_type(const Widening *w, MlirType type) {
  if (!is_bits(w, type))
    return type;
  if (mlirTypeIsAUnrankedMemRef(type))
    return mlirUnrankedMemRefTypeGet(w->byte,
                                     mlirUnrankedMemrefGetMemorySpace(type));
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = RM_NEW_ARRAY(w->pool, int64_t, rank + 1);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  return mlirMemRefTypeGet(w->byte, rank, shape, mlirMemRefTypeGetLayout(type),
                           mlirMemRefTypeGetMemorySpace(type));
}

static void widen_value(const Widening *w, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (is_bits(w, type))
    mlirValueSetType(value, widen_type(w, type));
}

static MlirType widen_function_type(const Widening *w, MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = RM_NEW_ARRAY(w->pool, MlirType, inputs + results + 1);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = widen_type(w, mlirFunctionTypeGetInput(type, i));
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + i] = widen_type(w, mlirFunctionTypeGetResult(type, i));
  return mlirFunctionTypeGet(mlirTypeGetContext(type), inputs, types, results,
                             types + inputs);
}

static MlirAttribute widen_type_attribute(const Widening *w,
                                          MlirAttribute attribute) {
  MlirType type = mlirTypeAttrGetValue(attribute);
  return mlirTypeAttrGet(mlirTypeIsAFunction(type)
                             ? widen_function_type(w, type)
                             : widen_type(w, type));
}

/* The elements of a constant, one byte each. */
static MlirAttribute widen_elements(const Widening *w, MlirAttribute bits) {
  MlirType type = mlirAttributeGetType(bits);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = RM_NEW_ARRAY(w->pool, int64_t, rank + 1);
  for (intptr_t i = 0; i < rank; ++i)
    shape[i] = mlirShapedTypeGetDimSize(type, i);
  int64_t count = mlirElementsAttrGetNumElements(bits);
  int8_t *bytes = RM_NEW_ARRAY(w->pool, int8_t, count + 1);
  for (int64_t i = 0; i < count; ++i)
    bytes[i] = mlirDenseElementsAttrGetBoolValue(bits, i);
  MlirType wide =
      mlirRankedTensorTypeGet(rank, shape, w->byte, mlirAttributeGetNull());
  return mlirDenseElementsAttrInt8Get(wide, count, bytes);
}

static MlirAttribute get(MlirOperation op, const char *name) {
  return mlirOperationGetInherentAttributeByName(op, rm_str(name));
}

static void widen_global(const Widening *w, MlirOperation global) {
  MlirAttribute type = get(global, "type");
  if (!is_bits(w, mlirTypeAttrGetValue(type)))
    return;
  MlirAttribute elements = get(global, "initial_value");
  mlirOperationSetInherentAttributeByName(global, rm_str("type"),
                                          widen_type_attribute(w, type));
  if (!mlirAttributeIsNull(elements) && mlirAttributeIsADenseElements(elements))
    mlirOperationSetInherentAttributeByName(global, rm_str("initial_value"),
                                            widen_elements(w, elements));
}

static void widen_function(const Widening *w, MlirOperation function) {
  MlirAttribute type = get(function, "function_type");
  mlirOperationSetInherentAttributeByName(function, rm_str("function_type"),
                                          widen_type_attribute(w, type));
}

/* Its readers get a bit that is cut from the byte. */
static void widen_load(const Widening *w, MlirOperation load) {
  MlirValue loaded = mlirOperationGetResult(load, 0);
  mlirValueSetType(loaded, w->byte);
  MlirOperation cut = rm_op_insert(load, "arith.trunci", 1, &loaded, w->bit);
  mlirOperationMoveAfter(cut, load);
  mlirValueReplaceAllUsesExcept(loaded, mlirOperationGetResult(cut, 0), 1,
                                &cut);
  rm_statistic_add(w->run, "accesses", 1);
}

static void widen_store(const Widening *w, MlirOperation store) {
  MlirValue bit = mlirOperationGetOperand(store, 0);
  MlirOperation extended = rm_op_insert(store, "arith.extui", 1, &bit, w->byte);
  mlirOperationSetOperand(store, 0, mlirOperationGetResult(extended, 0));
  rm_statistic_add(w->run, "accesses", 1);
}

static void widen_values(const Widening *w, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    widen_value(w, mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        widen_value(w, mlirBlockGetArgument(block, i));
  }
}

/* Loads and stores are known by the bit that they move, for the memref may be
 * retyped already. */
static MlirWalkResult widen(MlirOperation op, void *data) {
  const Widening *w = data;
  widen_values(w, op);
  if (rm_op_is(op, "memref.load") &&
      mlirTypeEqual(mlirValueGetType(mlirOperationGetResult(op, 0)), w->bit))
    widen_load(w, op);
  else if (rm_op_is(op, "memref.store") &&
           mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                         w->bit))
    widen_store(w, op);
  else if (rm_op_is(op, "memref.global"))
    widen_global(w, op);
  else if (rm_op_is(op, "func.func"))
    widen_function(w, op);
  return MlirWalkResultAdvance;
}

bool rm_pass_widen_bools(MlirOperation module, RmPassRun *run) {
  MlirContext context = mlirOperationGetContext(module);
  Widening w = {mlirIntegerTypeGet(context, 1), mlirIntegerTypeGet(context, 8),
                rm_pool_create_or_abort(), run};
  mlirOperationWalk(module, widen, &w, MlirWalkPostOrder);
  rm_pool_destroy(w.pool);
  return true;
}
