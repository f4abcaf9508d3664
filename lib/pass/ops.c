/* lib/pass/ops.c - what passes often ask of ops, and how they make them.
 *
 * Thin words over the C API, so that passes read as sentences. */

#include "pass/ops.h"

#include "mlir-c/BuiltinTypes.h"

#include <string.h>

bool rm_op_is(MlirOperation op, const char *name) {
  if (mlirOperationIsNull(op))
    return false;
  MlirStringRef is = mlirIdentifierStr(mlirOperationGetName(op));
  return is.length == strlen(name) && !memcmp(is.data, name, is.length);
}

bool rm_op_name_begins(MlirOperation op, const char *prefix) {
  MlirStringRef is = mlirIdentifierStr(mlirOperationGetName(op));
  size_t length = strlen(prefix);
  return is.length >= length && !memcmp(is.data, prefix, length);
}

MlirOperation rm_defining_op(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value)
                                     : (MlirOperation){NULL};
}

MlirOperation rm_ancestor_in(MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool rm_op_is_inside(MlirOperation op, MlirOperation outer) {
  do
    op = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer));
  return !mlirOperationIsNull(op);
}

MlirOperation rm_yield_of(MlirOperation op, intptr_t i) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)))
    return (MlirOperation){NULL};
  return mlirBlockGetTerminator(block);
}

MlirOperation rm_op_insert(MlirOperation place, const char *name,
                           intptr_t num_operands, const MlirValue *operands,
                           MlirType result) {
  MlirOperationState state =
      mlirOperationStateGet(rm_str(name), mlirOperationGetLocation(place));
  mlirOperationStateAddOperands(&state, num_operands, operands);
  if (!mlirTypeIsNull(result))
    mlirOperationStateAddResults(&state, 1, &result);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
  return op;
}

bool rm_type_is_static_tensor(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type);
}
