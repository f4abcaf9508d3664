/* tools/remat-run/values.c - what goes into a program and comes out of it. */
#include "run.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ElementInfo elements[] = {
    [ELEMENT_I1] = {"i1", "|b1", 1, false},
    [ELEMENT_I8] = {"i8", "|i1", 1, false},
    [ELEMENT_I16] = {"i16", "<i2", 2, false},
    [ELEMENT_I32] = {"i32", "<i4", 4, false},
    [ELEMENT_I64] = {"i64", "<i8", 8, false},
    [ELEMENT_INDEX] = {"index", "<i8", 8, false},
    [ELEMENT_F16] = {"f16", "<f2", 2, true},
    [ELEMENT_BF16] = {"bf16", "<u2", 2, true},
    [ELEMENT_F32] = {"f32", "<f4", 4, true},
    [ELEMENT_F64] = {"f64", "<f8", 8, true},
};

static bool element_of(MlirType type, Element *element) {
  if (mlirTypeIsAInteger(type)) {
    switch (mlirIntegerTypeGetWidth(type)) {
    case 1:
      return *element = ELEMENT_I1, true;
    case 8:
      return *element = ELEMENT_I8, true;
    case 16:
      return *element = ELEMENT_I16, true;
    case 32:
      return *element = ELEMENT_I32, true;
    case 64:
      return *element = ELEMENT_I64, true;
    default:
      return false;
    }
  }
  if (mlirTypeIsAIndex(type))
    return *element = ELEMENT_INDEX, true;
  if (mlirTypeIsAF16(type))
    return *element = ELEMENT_F16, true;
  if (mlirTypeIsABF16(type))
    return *element = ELEMENT_BF16, true;
  if (mlirTypeIsAF32(type))
    return *element = ELEMENT_F32, true;
  if (mlirTypeIsAF64(type))
    return *element = ELEMENT_F64, true;
  return false;
}

static bool is_row_major(MlirType type) {
  if (!mlirTypeIsAMemRef(type))
    return true;
  int64_t strides[64], offset, size = 1;
  intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  if (rank > 64 || mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(
                       type, strides, &offset)))
    return false;
  for (intptr_t i = rank - 1; i >= 0; --i) {
    if (strides[i] != size)
      return false;
    size *= mlirShapedTypeGetDimSize(type, i);
  }
  return offset == 0;
}

/* What keeps a value of this type from being passed, or null. */
static const char *problem_of(MlirType type) {
  if (mlirTypeIsAUnrankedTensor(type) || mlirTypeIsAUnrankedMemRef(type))
    return "has no rank";
  bool is_shaped = mlirTypeIsARankedTensor(type) || mlirTypeIsAMemRef(type);
  if (is_shaped && !mlirShapedTypeHasStaticShape(type))
    return "has a dynamic shape";
  if (is_shaped && !is_row_major(type))
    return "is not in row-major order";
  Element element;
  if (!element_of(is_shaped ? mlirShapedTypeGetElementType(type) : type,
                  &element))
    return "is not of a supported type (i1, i8, i16, i32, i64, index, f16, "
           "bf16, f32, f64)";
  return NULL;
}

static Slot slot_of(MlirType type, RmPool *pool) {
  Slot slot = {.count = 1};
  slot.is_scalar = !mlirTypeIsARankedTensor(type) && !mlirTypeIsAMemRef(type);
  element_of(slot.is_scalar ? type : mlirShapedTypeGetElementType(type),
             &slot.element);
  if (!slot.is_scalar) {
    slot.rank = (int)mlirShapedTypeGetRank(type);
    slot.shape = RM_NEW_ARRAY(pool, int64_t, slot.rank + 1);
  }
  for (int i = 0; i < slot.rank; ++i) {
    slot.shape[i] = mlirShapedTypeGetDimSize(type, i);
    slot.count *= slot.shape[i];
  }
  slot.bytes = (size_t)slot.count * elements[slot.element].bytes;
  return slot;
}

static void write_to_stderr(MlirStringRef part, void *user) {
  (void)user;
  fwrite(part.data, 1, part.length, stderr);
}

static bool read_slot(MlirType type, const char *what, intptr_t i, Slot *slot,
                      RmPool *pool) {
  const char *problem = problem_of(type);
  if (problem) {
    fprintf(stderr, "remat-run: %s %d, ", what, (int)i);
    mlirTypePrint(type, write_to_stderr, NULL);
    fprintf(stderr, ", %s\n", problem);
    return false;
  }
  *slot = slot_of(type, pool);
  return true;
}

static void read_donations(MlirAttribute donated, Signature *signature) {
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(donated); ++i) {
    int64_t argument = mlirDenseI64ArrayGetElement(donated, i);
    if (argument >= 0 && argument < signature->num_arguments)
      signature->arguments[argument].donated = true;
  }
}

static MlirAttribute field(MlirAttribute dictionary, const char *name) {
  return mlirDictionaryAttrGetElementByName(
      dictionary, mlirStringRefCreateFromCString(name));
}

static bool is_entry(MlirAttribute entry) {
  if (mlirAttributeIsNull(entry) || !mlirAttributeIsADictionary(entry))
    return false;
  MlirAttribute type = field(entry, "type"), donated = field(entry, "donated");
  return !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
         mlirTypeIsAFunction(mlirTypeAttrGetValue(type)) &&
         !mlirAttributeIsNull(donated) &&
         mlirAttributeIsADenseI64Array(donated);
}

static bool is_in_out(MlirType type) {
  bool in_memory = false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    in_memory |= mlirTypeIsAMemRef(mlirFunctionTypeGetInput(type, i));
  return in_memory && mlirFunctionTypeGetNumResults(type) == 0;
}

bool signature_read(MlirOperation function, Signature *signature,
                    RmPool *pool) {
  MlirAttribute entry = mlirOperationGetDiscardableAttributeByName(
      function, mlirStringRefCreateFromCString("remat.entry"));
  if (!is_entry(entry)) {
    fprintf(stderr, "remat-run: the function has no remat.entry attribute; "
                    "lower it with --remat-to-cpu, which notes its type\n");
    return false;
  }
  MlirType type = mlirTypeAttrGetValue(field(entry, "type"));
  Signature s = {.num_arguments = (int)mlirFunctionTypeGetNumInputs(type),
                 .num_results = (int)mlirFunctionTypeGetNumResults(type),
                 .in_out = is_in_out(type)};
  s.arguments = RM_NEW_ARRAY(pool, Slot, s.num_arguments + 1);
  s.results = RM_NEW_ARRAY(pool, Slot, s.num_results + 1);
  for (int i = 0; i < s.num_arguments; ++i)
    if (!read_slot(mlirFunctionTypeGetInput(type, i), "argument", i,
                   &s.arguments[i], pool))
      return false;
  for (int i = 0; i < s.num_results; ++i)
    if (!read_slot(mlirFunctionTypeGetResult(type, i), "result", i,
                   &s.results[i], pool))
      return false;
  read_donations(field(entry, "donated"), &s);
  *signature = s;
  return true;
}

/*===-- Comparing signatures ----------------------------------------------===*/

const char *slot_print(const Slot *slot, RmPool *pool) {
  const char *element = elements[slot->element].name;
  if (slot->is_scalar)
    return element;
  const char *text = "tensor<";
  for (int i = 0; i < slot->rank; ++i)
    text = rm_pool_printf(pool, "%s%lldx", text, (long long)slot->shape[i]);
  return rm_pool_printf(pool, "%s%s>", text, element);
}

static bool is_same_slot(const Slot *a, const Slot *b) {
  return a->element == b->element && a->is_scalar == b->is_scalar &&
         a->rank == b->rank &&
         (a->rank == 0 ||
          !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape));
}

static const char *difference_of(const Slot *a, int num_a, const Slot *b,
                                 int num_b, const char *what, RmPool *pool) {
  if (num_a != num_b)
    return rm_pool_printf(pool, "%d %ss against %d", num_a, what, num_b);
  for (int i = 0; i < num_a; ++i)
    if (!is_same_slot(&a[i], &b[i]))
      return rm_pool_printf(pool, "%s %d is %s in one and %s in the other",
                            what, i, slot_print(&a[i], pool),
                            slot_print(&b[i], pool));
  return NULL;
}

const char *signature_difference(const Signature *a, const Signature *b,
                                 RmPool *pool) {
  const char *difference =
      difference_of(a->arguments, a->num_arguments, b->arguments,
                    b->num_arguments, "argument", pool);
  if (difference)
    return difference;
  return difference_of(a->results, a->num_results, b->results, b->num_results,
                       "result", pool);
}

/*===-- Buffers -----------------------------------------------------------===*/

void **buffers_create(const Slot *slots, int count, int fill) {
  void **buffers = calloc((size_t)count + 1, sizeof *buffers);
  for (int i = 0; buffers && i < count; ++i) {
    size_t room = (slots[i].bytes + 64) / 64 * 64;
    buffers[i] = aligned_alloc(64, room);
    if (!buffers[i])
      abort();
    memset(buffers[i], fill, room);
  }
  if (!buffers)
    abort();
  return buffers;
}

void buffers_destroy(void **buffers, int count) {
  for (int i = 0; i < count; ++i)
    free(buffers[i]);
  free(buffers);
}
