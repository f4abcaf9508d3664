/* lib/model/type-bytes.c - what a value of a type takes in memory; integers.
 *
 * Elements take whole bytes each, as bufferization and the judge of fit=live
 * have it: i1 and i4 take one. What is not data (tokens, types of dialects that
 * are not loaded) takes none. */
#include "model/table.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Quant.h"

static int64_t whole_bytes(int64_t bits) { return (bits + 7) / 8; }

static int64_t scalar_bits(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type);
  if (mlirTypeIsAIndex(type))
    return 64;
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type);
  if (mlirTypeIsAQuantizedType(type))
    return mlirQuantizedTypeGetStorageTypeIntegralWidth(type);
  return 0;
}

static int64_t shaped_bytes(MlirType type) {
  if (!mlirShapedTypeHasStaticShape(type))
    return -1;
  int64_t bytes = rm_type_bytes(mlirShapedTypeGetElementType(type));
  if (bytes < 0)
    return -1;
  for (int64_t i = 0, n = mlirShapedTypeGetRank(type); i < n; ++i) {
    if (mlirTypeIsAVector(type) && mlirVectorTypeIsDimScalable(type, i))
      return -1;
    bytes = rm_times(bytes, mlirShapedTypeGetDimSize(type, i));
  }
  return bytes;
}

static int64_t tuple_bytes(MlirType type) {
  int64_t sum = 0;
  for (intptr_t i = 0, n = mlirTupleTypeGetNumTypes(type); i < n; ++i) {
    int64_t bytes = rm_type_bytes(mlirTupleTypeGetType(type, i));
    if (bytes < 0)
      return -1;
    sum = rm_plus(sum, bytes);
  }
  return sum;
}

int64_t rm_type_bytes(MlirType type) {
  if (mlirTypeIsAShaped(type))
    return shaped_bytes(type);
  if (mlirTypeIsATuple(type))
    return tuple_bytes(type);
  if (mlirTypeIsAComplex(type))
    return 2 * whole_bytes(scalar_bits(mlirComplexTypeGetElementType(type)));
  return whole_bytes(scalar_bits(type));
}

/* In an arena only what memory is allocated for counts: tensors and buffers. */
int64_t rm_value_bytes(MlirValue value, const RmModels *models) {
  MlirType type = mlirValueGetType(value);
  bool in_memory = mlirTypeIsATensor(type) || mlirTypeIsAMemRef(type) ||
                   mlirTypeIsAUnrankedMemRef(type);
  return models->for_arena && !in_memory ? 0 : rm_type_bytes(type);
}

bool rm_read_integer(MlirAttribute attribute, int64_t *number) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  if (!mlirTypeIsAIndex(type) && mlirIntegerTypeGetWidth(type) > 64)
    return false;
  if (mlirTypeIsAIndex(type) || mlirIntegerTypeIsSignless(type))
    *number = mlirIntegerAttrGetValueInt(attribute);
  else if (mlirIntegerTypeIsSigned(type))
    *number = mlirIntegerAttrGetValueSInt(attribute);
  else
    *number = (int64_t)mlirIntegerAttrGetValueUInt(attribute);
  return true;
}
