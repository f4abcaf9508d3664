/* lib/model/cost.c - predicted time, by the roofline.
 *
 * time = max(operations / rate, bytes / bandwidth) + launch, in whole units of
 * the target, rounded up. Operations are counted from static shapes: for linalg
 * the iteration space (loop ranges from indexing maps) times what the body's
 * ops weigh; for StableHLO by a rule for each op. A dimension that is not known
 * counts as one.
 *
 * Each division and maximum is a statement of its own, so that no compiler
 * fuses them: equal input gives equal times on every machine. */
#include "model/table.h"

#include "shim/shim.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANK = 32, MAX_PRINTED = 512 };

/* Above this a time is cut off: 2^50 ns are 13 days. */
static const double longest = 1125899906842624.0;

static int64_t dim_size(MlirType type, int64_t i) {
  if (mlirShapedTypeIsDynamicDim(type, i))
    return 1;
  return mlirShapedTypeGetDimSize(type, i);
}

/* 0 for all that has no dimensions, or none that are known. */
static int64_t rank_of(MlirType type) {
  if (mlirTypeIsNull(type) || !mlirTypeIsAShaped(type) ||
      !mlirShapedTypeHasRank(type))
    return 0;
  return mlirShapedTypeGetRank(type);
}

static int64_t count_elements(MlirType type) {
  int64_t count = 1;
  for (int64_t i = 0, n = rank_of(type); i < n; ++i)
    count = rm_times(count, dim_size(type, i));
  return count;
}

static MlirType operand_type(MlirOperation op, int i) {
  if (i >= mlirOperationGetNumOperands(op))
    return (MlirType){NULL};
  return mlirValueGetType(mlirOperationGetOperand(op, i));
}

static MlirType result_type(MlirOperation op) {
  if (!mlirOperationGetNumResults(op))
    return (MlirType){NULL};
  return mlirValueGetType(mlirOperationGetResult(op, 0));
}

static int64_t elements_of(MlirType type) {
  return mlirTypeIsNull(type) ? 0 : count_elements(type);
}

/*===-- Attributes that may be of a dialect that is not loaded ------------===*/

typedef struct Printed {
  char text[MAX_PRINTED + 1];
  size_t length;
} Printed;

static void append(MlirStringRef part, void *data) {
  Printed *out = data;
  size_t room = MAX_PRINTED - out->length;
  size_t length = part.length < room ? part.length : room;
  memcpy(out->text + out->length, part.data, length);
  out->length += length;
  out->text[out->length] = '\0';
}

static bool print_attribute(MlirOperation op, const char *name, Printed *out) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
  *out = (Printed){.length = 0};
  if (mlirAttributeIsNull(attribute))
    return false;
  mlirAttributePrint(attribute, append, out);
  return true;
}

/*===-- Operations --------------------------------------------------------===*/

static int64_t root_of(double square) { return (int64_t)sqrt(square); }

/* 2 * |out| * |contracted|. The contracted dimensions are read from the printed
 * attribute; without it, from |lhs| |rhs| = |out| |contracted|^2, which holds
 * where no dimension is a batch. */
static int64_t count_dot(MlirOperation op) {
  MlirType lhs = operand_type(op, 0), rhs = operand_type(op, 1);
  int64_t out = elements_of(result_type(op)), contracted = 1;
  Printed dims;
  const char *key = "lhs_contracting_dimensions = [";
  const char *at = NULL;
  if (print_attribute(op, "dot_dimension_numbers", &dims))
    at = strstr(dims.text, key);
  if (!at) {
    double square = (double)elements_of(lhs) * (double)elements_of(rhs);
    return rm_times(2 * root_of(square / (double)(out ? out : 1)), out);
  }
  for (at += strlen(key); *at >= '0' && *at <= '9';) {
    char *end;
    long dim = strtol(at, &end, 10);
    if (dim < rank_of(lhs))
      contracted = rm_times(contracted, dim_size(lhs, dim));
    at = end + strspn(end, ", ");
  }
  return rm_times(rm_times(2, out), contracted);
}

/* Where `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->...>` has its `o`: the
 * kernel's last dimension if it cannot be told. */
static int64_t find_output_dim(MlirOperation op, MlirType kernel) {
  Printed dims;
  int64_t last = rank_of(kernel) - 1, dim = 0;
  if (!print_attribute(op, "dimension_numbers", &dims))
    return last;
  const char *at = strstr(dims.text, "]x[");
  for (at = at ? at + 3 : ""; *at && *at != ']' && *at != 'o'; ++at)
    dim += *at == ',';
  return *at == 'o' && dim <= last ? dim : last;
}

/* Each output takes the kernel but for its output dimension. */
static int64_t count_convolution(MlirOperation op) {
  MlirType kernel = operand_type(op, 1);
  if (!rank_of(kernel))
    return 0;
  int64_t features = dim_size(kernel, find_output_dim(op, kernel));
  int64_t taps = count_elements(kernel) / (features ? features : 1);
  return rm_times(rm_times(2, elements_of(result_type(op))), taps);
}

/* select_and_scatter moves its window over its operand for each source. */
static int64_t count_window(MlirOperation op) {
  MlirAttribute window = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("window_dimensions"));
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  bool scatters = strstr(name.data, "scatter") != NULL;
  int64_t work = elements_of(scatters ? operand_type(op, 1) : result_type(op));
  if (mlirAttributeIsNull(window) || !mlirAttributeIsADenseI64Array(window))
    return work;
  for (intptr_t i = 0, n = mlirDenseArrayGetNumElements(window); i < n; ++i)
    work = rm_times(work, mlirDenseI64ArrayGetElement(window, i));
  return work;
}

static int64_t count_sort(MlirOperation op) {
  int64_t elements = elements_of(operand_type(op, 0)), levels = 1;
  while (levels < 62 && (int64_t)1 << levels < elements)
    ++levels;
  return rm_times(elements, levels);
}

static int64_t weigh_block(MlirBlock block) {
  int64_t weight = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    const RmOpRow *row = rm_op_row(op);
    weight += row ? row->weight : 1;
  }
  return weight;
}

/* Every loop's range is the size of a dimension that some operand's map reads
 * with it alone: for a convolution the window's from the kernel. */
static int64_t count_iterations(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  int64_t range[MAX_RANK], iterations = 1;
  intptr_t loops = 0;
  for (int i = 0; i < MAX_RANK; ++i)
    range[i] = 1;
  intptr_t operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < operands && i < mlirArrayAttrGetNumElements(maps);
       ++i) {
    MlirAffineMap map =
        mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
    MlirType type = operand_type(op, (int)i);
    loops = mlirAffineMapGetNumDims(map);
    for (intptr_t r = 0, n = mlirAffineMapGetNumResults(map); r < n; ++r) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, r);
      if (!mlirAffineExprIsADim(expr) || r >= rank_of(type))
        continue;
      intptr_t d = mlirAffineDimExprGetPosition(expr);
      if (d < MAX_RANK)
        range[d] = dim_size(type, r);
    }
  }
  for (intptr_t d = 0; d < loops && d < MAX_RANK; ++d)
    iterations = rm_times(iterations, range[d]);
  return iterations;
}

static int64_t count_loops(MlirOperation op) {
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) || !mlirOperationGetNumRegions(op))
    return elements_of(result_type(op));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  int64_t weight = mlirBlockIsNull(body) ? 1 : weigh_block(body);
  return rm_times(count_iterations(op), weight);
}

static int64_t count_operations(MlirOperation op, const RmOpRow *row) {
  switch ((RmWork)row->work) {
  case RM_WORK_RESULT:
    return rm_times(elements_of(result_type(op)), row->weight);
  case RM_WORK_OPERAND:
    return rm_times(elements_of(operand_type(op, 0)), row->weight);
  case RM_WORK_LOOPS:
    return count_loops(op);
  case RM_WORK_DOT:
    return count_dot(op);
  case RM_WORK_CONV:
    return count_convolution(op);
  case RM_WORK_WINDOW:
    return rm_times(count_window(op), row->weight);
  case RM_WORK_SORT:
    return rm_times(count_sort(op), row->weight);
  default:
    return 0;
  }
}

/*===-- Bytes -------------------------------------------------------------===*/

static int64_t bytes_of(MlirType type) {
  if (mlirTypeIsNull(type) || !mlirTypeIsAShaped(type))
    return 0;
  int64_t each = rm_type_bytes(mlirShapedTypeGetElementType(type));
  return rm_times(count_elements(type), each < 0 ? 0 : each);
}

static int64_t result_bytes(MlirOperation op) {
  int64_t bytes = 0;
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i)
    bytes = rm_plus(bytes,
                    bytes_of(mlirValueGetType(mlirOperationGetResult(op, i))));
  return bytes;
}

static int64_t operand_bytes(MlirOperation op) {
  int64_t bytes = 0;
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i)
    if (!rm_model_shape_only(op, (int)i))
      bytes = rm_plus(bytes, bytes_of(operand_type(op, (int)i)));
  return bytes;
}

static int64_t count_bytes(MlirOperation op, const RmOpRow *row) {
  switch (row ? (RmMoves)row->moves : RM_MOVES_ALL) {
  case RM_MOVES_RESULT:
    return rm_times(2, result_bytes(op));
  case RM_MOVES_UPDATE:
    return rm_times(2, bytes_of(operand_type(op, 1)));
  case RM_MOVES_WRITE:
    return result_bytes(op);
  default:
    return rm_plus(operand_bytes(op), result_bytes(op));
  }
}

/*===-- Time --------------------------------------------------------------===*/

static RmRate rate_of(MlirOperation op) {
  MlirType type = operand_type(op, 0);
  if (mlirTypeIsNull(type))
    type = result_type(op);
  if (mlirTypeIsNull(type))
    return RM_RATE_INT;
  if (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAComplex(type))
    type = mlirComplexTypeGetElementType(type);
  if (!mlirTypeIsAFloat(type))
    return RM_RATE_INT;
  unsigned width = mlirFloatTypeGetWidth(type);
  return width > 32 ? RM_RATE_F64 : width == 32 ? RM_RATE_F32 : RM_RATE_F16;
}

static int64_t time_of(int64_t operations, int64_t bytes, RmRate rate,
                       const RmTarget *target) {
  double compute = (double)operations / target->flops_per_ns[rate];
  double memory = (double)bytes / target->bytes_per_ns;
  double time = compute > memory ? compute : memory;
  return rm_plus((int64_t)ceil(time < longest ? time : longest),
                 target->launch_ns);
}

/* Sizes and scalars are worked out in registers on the way. */
static bool works_on_scalars(MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return false;
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i)
    if (mlirTypeIsAShaped(operand_type(op, (int)i)))
      return false;
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

/* What loops, branches and calls cost is what they run. */
static bool is_free(MlirOperation op, const RmOpRow *row) {
  return row->work == RM_WORK_FREE || row->work == RM_WORK_LOOP ||
         row->work == RM_WORK_BRANCH || works_on_scalars(op);
}

int64_t rm_op_cost(MlirOperation op, const RmOpRow *row, RmModels *models) {
  if (row && is_free(op, row))
    return 0;
  if (rm_model_alias(op, 0, models) >= 0)
    return 0;
  int64_t operations = row ? count_operations(op, row) : 0;
  return time_of(operations, count_bytes(op, row), rate_of(op),
                 &models->target);
}
