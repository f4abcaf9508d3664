/* lib/pass/ops.c - what passes often ask of ops, and how they make them.
 *
 * Thin words over the C API, so that passes read as sentences. */

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"
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

MlirValue rm_op_insert_constant(MlirOperation place, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  MlirNamedAttribute attribute = mlirNamedAttributeGet(
      mlirIdentifierGet(mlirOperationGetContext(place), rm_str("value")),
      value);
  MlirOperationState state = mlirOperationStateGet(
      rm_str("arith.constant"), mlirOperationGetLocation(place));
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
  return mlirOperationGetResult(op, 0);
}

MlirAttribute rm_dictionary_with(MlirAttribute dictionary,
                                 MlirNamedAttribute entry, RmPool *pool) {
  intptr_t count = mlirAttributeIsNull(dictionary)
                       ? 0
                       : mlirDictionaryAttrGetNumElements(dictionary);
  MlirNamedAttribute *all = RM_NEW_ARRAY(pool, MlirNamedAttribute, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirDictionaryAttrGetElement(dictionary, i);
  all[count] = entry;
  return mlirDictionaryAttrGet(mlirAttributeGetContext(entry.attribute),
                               count + 1, all);
}

/*===-- Functions ---------------------------------------------------------===*/

bool rm_is_function_with_body(MlirOperation op) {
  return rm_op_is(op, "func.func") && !mlirBlockIsNull(mlirRegionGetFirstBlock(
                                          mlirOperationGetRegion(op, 0)));
}

bool rm_is_private(MlirOperation function) {
  MlirAttribute visibility =
      mlirOperationGetAttributeByName(function, rm_str("sym_visibility"));
  return !mlirAttributeIsNull(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            rm_str("private"));
}

MlirAttribute rm_argument_attribute(MlirOperation function, intptr_t i,
                                    const char *name) {
  MlirAttribute all =
      mlirOperationGetAttributeByName(function, rm_str("arg_attrs"));
  if (mlirAttributeIsNull(all))
    return all;
  return mlirDictionaryAttrGetElementByName(mlirArrayAttrGetElement(all, i),
                                            rm_str(name));
}

static uint64_t hash_of(MlirStringRef name) {
  return rm_hash_bytes(name.data, name.length, 0);
}

/* Most ops are of dialects that never name a function; to ask them for their
 * attributes is slow. */
static bool may_refer(MlirOperation op) {
  static const char *const dialects[] = {"linalg.", "arith.",        "tensor.",
                                         "memref.", "math.",         "scf.",
                                         "remat.",  "bufferization."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (rm_op_name_begins(op, dialects[i]))
      return false;
  return true;
}

static void note_attribute(RmMap *references, MlirAttribute attribute) {
  if (mlirAttributeIsAFlatSymbolRef(attribute))
    rm_references_add(references, mlirFlatSymbolRefAttrGetValue(attribute));
  else if (mlirAttributeIsAArray(attribute))
    for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); ++i)
      note_attribute(references, mlirArrayAttrGetElement(attribute, i));
  else if (mlirAttributeIsADictionary(attribute))
    for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(attribute); ++i)
      note_attribute(references,
                     mlirDictionaryAttrGetElement(attribute, i).attribute);
}

void rm_references_note(RmMap *references, MlirOperation op) {
  for (intptr_t i = 0; may_refer(op) && i < mlirOperationGetNumAttributes(op);
       ++i)
    note_attribute(references, mlirOperationGetAttribute(op, i).attribute);
}

static MlirWalkResult note_references(MlirOperation op, void *user) {
  rm_references_note(user, op);
  return MlirWalkResultAdvance;
}

RmMap rm_references(MlirOperation module, RmPool *pool) {
  RmMap references = rm_map_create(pool);
  mlirOperationWalk(module, note_references, &references, MlirWalkPreOrder);
  return references;
}

void rm_references_add(RmMap *references, MlirStringRef name) {
  rm_map_set(references, hash_of(name), 1);
}

bool rm_is_referred_to(const RmMap *references, MlirOperation function) {
  MlirAttribute name =
      mlirOperationGetAttributeByName(function, rm_str("sym_name"));
  return rm_map_or(references, hash_of(mlirStringAttrGetValue(name)), 0);
}
