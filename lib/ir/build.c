/* lib/ir/build.c - makes the few ops that a plan adds to a program. */
#include "ir/build.h"

#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

bool rm_op_is_named(MlirOperation op, const char *name) {
  return mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                            mlirStringRefCreateFromCString(name));
}

bool rm_op_is_fence(MlirOperation op) {
  return rm_op_is_named(op, "remat.recompute") ||
         rm_op_is_named(op, "stablehlo.optimization_barrier") ||
         rm_op_is_named(op, "util.optimization_barrier");
}

static MlirOperation build(const char *name, MlirLocation where,
                           const MlirValue *operands, int num_operands,
                           const MlirType *types, int num_types,
                           const MlirNamedAttribute *attribute) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(name), where);
  mlirOperationStateAddOperands(&state, num_operands, operands);
  mlirOperationStateAddResults(&state, num_types, types);
  if (attribute)
    mlirOperationStateAddAttributes(&state, 1, attribute);
  return mlirOperationCreate(&state);
}

MlirOperation rm_build_checkpoint(MlirValue value, MlirLocation where) {
  MlirType type = mlirValueGetType(value);
  return build("remat.checkpoint", where, &value, 1, &type, 1, NULL);
}

static const MlirType *types_of(const MlirValue *values, int count,
                                RmPool *pool) {
  MlirType *types = RM_NEW_ARRAY(pool, MlirType, count + 1);
  for (int i = 0; i < count; ++i)
    types[i] = mlirValueGetType(values[i]);
  return types;
}

MlirOperation rm_build_recompute(const MlirValue *operands, int num_from,
                                 int num_after, MlirLocation where,
                                 RmPool *pool) {
  MlirContext context = mlirLocationGetContext(where);
  int32_t sizes[] = {num_from, num_after};
  MlirNamedAttribute segments = mlirNamedAttributeGet(
      mlirIdentifierGet(context,
                        mlirStringRefCreateFromCString("operandSegmentSizes")),
      mlirDenseI32ArrayGet(context, 2, sizes));
  int count = num_from + num_after;
  return build("remat.recompute", where, operands, count,
               types_of(operands, count, pool), count, &segments);
}

MlirOperation rm_build_identity(const char *name, const MlirValue *operands,
                                int count, MlirLocation where, RmPool *pool) {
  MlirContext context = mlirLocationGetContext(where);
  if (!mlirContextGetAllowUnregisteredDialects(context) &&
      !mlirContextIsRegisteredOperation(context,
                                        mlirStringRefCreateFromCString(name)))
    return (MlirOperation){NULL};
  return build(name, where, operands, count, types_of(operands, count, pool),
               count, NULL);
}

MlirOperation rm_build_empty(MlirType type, MlirLocation where) {
  return build("tensor.empty", where, NULL, 0, &type, 1, NULL);
}

MlirLocation rm_location_again(MlirLocation where) {
  MlirContext context = mlirLocationGetContext(where);
  MlirAttribute mark =
      mlirStringAttrGet(context, mlirStringRefCreateFromCString("remat"));
  return mlirLocationFusedGet(context, 1, &where, mark);
}
