/* lib/pass/memory-elementwise.c - linalg ops on memrefs that may work in place.
 *
 * An op whose output map is the identity writes each element once, when it is
 * at its index. If it reads an operand at that index alone, the two may be the
 * same memory. */

#include "pass/memory-elementwise.h"

#include "pass/ops.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"

static bool reduces(MlirOperation op) {
  MlirAttribute kinds =
      mlirOperationGetAttributeByName(op, rm_str("iterator_types"));
  MlirAttribute parallel = mlirAttributeParseGet(
      mlirOperationGetContext(op), rm_str("#linalg.iterator_type<parallel>"));
  for (intptr_t i = 0;
       !mlirAttributeIsNull(kinds) && i < mlirArrayAttrGetNumElements(kinds);
       ++i)
    if (!mlirAttributeEqual(mlirArrayAttrGetElement(kinds, i), parallel))
      return true;
  return false;
}

MlirAttribute rm_elementwise_maps(MlirOperation op) {
  MlirAttribute none = {NULL};
  if (!rm_op_name_begins(op, "linalg."))
    return none;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) ||
      mlirArrayAttrGetNumElements(maps) != mlirOperationGetNumOperands(op) ||
      reduces(op) || rm_memory_body_uses(op))
    return none;
  return maps;
}

bool rm_elementwise_is_at_index(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapIsIdentity(
      mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i)));
}

/* Whether it cannot be told which buffers `base` may be. */
static bool is_unclear(RmMemoryUses *uses, MlirValue base) {
  MlirOperation op = rm_defining_op(base);
  return !rm_memory_is_argument(base) && !rm_op_is(op, "memref.get_global") &&
         (mlirOperationIsNull(op) ||
          rm_memory_use(uses, op) != RM_USE_ALLOCATES);
}

bool rm_elementwise_uses_in_place(RmMemoryUses *uses, MlirOperation op,
                                  MlirAttribute maps, MlirValue value) {
  MlirValue buffer = rm_memory_base(uses, value);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!rm_type_is_memref(mlirValueGetType(operand)))
      continue;
    MlirValue base = rm_memory_base(uses, operand);
    bool is_same = mlirValueEqual(base, buffer);
    if (is_unclear(uses, base) ||
        (is_same && (!mlirValueEqual(operand, value) ||
                     !rm_elementwise_is_at_index(maps, i))))
      return false;
  }
  return true;
}
