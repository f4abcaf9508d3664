/* lib/pass/order-loops.c - sums that a compiler can keep in registers.
 *
 * A matmul written i, j, k sums in its innermost loop: additions must keep
 * their order, so nothing can be vectorized. Written i, k, j its innermost
 * loop walks along rows, each lane with a sum of its own. Every sum still adds
 * the same terms in the same order, so not a bit changes.
 *
 * The innermost dimension becomes the output's last one, if that is parallel,
 * long enough to pay, and no input walks along it but in its last dimension.
 * Named ops become linalg.generic, whose loops follow its dimensions.
 *
 * For vectors, and for sums in registers, a compiler must also know that
 * storing a sum does not change what is summed. No bufferization writes a
 * reduction over its input, for the input is read again for the next sum; so
 * the output of a kernel that reduces is `llvm.noalias`, unless the same
 * argument is read as well. Of other kernels nothing is said: they may well
 * work in place.
 *
 * needs:  kernels on memrefs, before they become loops
 * keeps:  the order of each reduction
 * breaks: the names of the ops it changes */

#include "pass/ops.h"
#include "pass/passes.h"
#include "support/vec.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

/* Below this many iterations the loop around costs more than is won. */
enum { SHORTEST = 4 };

typedef struct Nest {
  MlirOperation op;
  MlirAttribute maps; /* one an operand, the output's last */
  intptr_t num_operands, num_dims;
  intptr_t innermost; /* the dimension that shall be */
} Nest;

typedef RM_VEC(Nest) NestVec;

typedef struct Search {
  RmPool *pool;
  NestVec found; /* ops that reduce */
} Search;

static MlirAffineMap map_of(const Nest *nest, intptr_t operand) {
  return mlirAffineMapAttrGetValue(
      mlirArrayAttrGetElement(nest->maps, operand));
}

/* The dimension that the last result of `map` is; -1 if it is none. */
static intptr_t last_dimension(MlirAffineMap map) {
  intptr_t count = mlirAffineMapGetNumResults(map);
  if (!count)
    return -1;
  MlirAffineExpr last = mlirAffineMapGetResult(map, count - 1);
  return mlirAffineExprIsADim(last) ? mlirAffineDimExprGetPosition(last) : -1;
}

static bool depends_on(MlirAffineMap map, intptr_t num_results, intptr_t dim) {
  for (intptr_t i = 0; i < num_results; ++i)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, i), dim))
      return true;
  return false;
}

/* Whether `map` walks along `dim` in its last dimension only, or not at all. */
static bool is_contiguous_in(MlirAffineMap map, intptr_t dim) {
  intptr_t count = mlirAffineMapGetNumResults(map);
  return !depends_on(map, count, dim) ||
         (last_dimension(map) == dim && !depends_on(map, count - 1, dim));
}

static bool reads_all_along(const Nest *nest) {
  for (intptr_t i = 0; i < nest->num_operands; ++i)
    if (!is_contiguous_in(map_of(nest, i), nest->innermost))
      return false;
  return true;
}

static bool has_reduction(const Nest *nest) {
  MlirAffineMap output = map_of(nest, nest->num_operands - 1);
  intptr_t count = mlirAffineMapGetNumResults(output);
  for (intptr_t dim = 0; dim < nest->num_dims; ++dim)
    if (!depends_on(output, count, dim))
      return true;
  return false;
}

static bool is_long(const Nest *nest) {
  MlirType type = mlirValueGetType(
      mlirOperationGetOperand(nest->op, nest->num_operands - 1));
  if (!mlirTypeIsAMemRef(type))
    return false;
  return mlirShapedTypeGetDimSize(type, (intptr_t)mlirShapedTypeGetRank(type) -
                                            1) >= SHORTEST;
}

static MlirWalkResult find_index(MlirOperation op, void *user) {
  bool *found = user;
  *found |= rm_op_is(op, "linalg.index");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool reads_indices(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, find_index, &found, MlirWalkPreOrder);
  return found;
}

static bool read_nest(MlirOperation op, Nest *nest) {
  if (!rm_op_name_begins(op, "linalg.") || rm_op_num_inits(op) != 1 ||
      mlirOperationGetNumResults(op))
    return false;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  intptr_t count = mlirOperationGetNumOperands(op);
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) != count)
    return false;
  *nest = (Nest){.op = op, .maps = maps, .num_operands = count};
  MlirAffineMap output = map_of(nest, count - 1);
  nest->num_dims = mlirAffineMapGetNumDims(output);
  nest->innermost = last_dimension(output);
  return true;
}

static bool shall_change(const Nest *nest) {
  return nest->innermost >= 0 && nest->innermost != nest->num_dims - 1 &&
         is_long(nest) && reads_all_along(nest) && !reads_indices(nest->op);
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Search *search = user;
  Nest nest;
  if (read_nest(op, &nest) && has_reduction(&nest))
    rm_vec_push(search->pool, &search->found, nest);
  return MlirWalkResultAdvance;
}

/*===-- The change --------------------------------------------------------===*/

/* The new place of dimension `dim`: `innermost` goes last, others move up. */
static intptr_t place_of(const Nest *nest, intptr_t dim) {
  if (dim == nest->innermost)
    return nest->num_dims - 1;
  return dim - (dim > nest->innermost);
}

static MlirAttribute new_maps(const Nest *nest, RmPool *pool) {
  MlirContext context = mlirOperationGetContext(nest->op);
  MlirAffineExpr *places = RM_NEW_ARRAY(pool, MlirAffineExpr, nest->num_dims);
  for (intptr_t i = 0; i < nest->num_dims; ++i)
    places[i] = mlirAffineDimExprGet(context, place_of(nest, i));
  MlirAffineMap move =
      mlirAffineMapGet(context, nest->num_dims, 0, nest->num_dims, places);
  MlirAttribute *maps = RM_NEW_ARRAY(pool, MlirAttribute, nest->num_operands);
  for (intptr_t i = 0; i < nest->num_operands; ++i) {
    MlirAffineMap map = map_of(nest, i);
    intptr_t count = mlirAffineMapGetNumResults(map);
    MlirAffineExpr *results = RM_NEW_ARRAY(pool, MlirAffineExpr, count + 1);
    for (intptr_t j = 0; j < count; ++j)
      results[j] = mlirAffineExprCompose(mlirAffineMapGetResult(map, j), move);
    maps[i] = mlirAffineMapAttrGet(
        mlirAffineMapGet(context, nest->num_dims, 0, count, results));
  }
  return mlirArrayAttrGet(context, nest->num_operands, maps);
}

/* A dimension that the output does not have is summed over. */
static MlirAttribute new_iterators(const Nest *nest, RmPool *pool) {
  MlirContext context = mlirOperationGetContext(nest->op);
  MlirAffineMap output = map_of(nest, nest->num_operands - 1);
  MlirAttribute *kinds = RM_NEW_ARRAY(pool, MlirAttribute, nest->num_dims);
  for (intptr_t i = 0; i < nest->num_dims; ++i)
    kinds[place_of(nest, i)] = mlirAttributeParseGet(
        context,
        rm_str(depends_on(output, mlirAffineMapGetNumResults(output), i)
                   ? "#linalg.iterator_type<parallel>"
                   : "#linalg.iterator_type<reduction>"));
  return mlirArrayAttrGet(context, nest->num_dims, kinds);
}

static MlirNamedAttribute named(MlirContext context, const char *name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str(name)),
                               attribute);
}

static void change(const Nest *nest, RmPool *pool) {
  MlirContext context = mlirOperationGetContext(nest->op);
  int32_t segments[2] = {(int32_t)nest->num_operands - 1, 1};
  MlirNamedAttribute attributes[3] = {
      named(context, "indexing_maps", new_maps(nest, pool)),
      named(context, "iterator_types", new_iterators(nest, pool)),
      named(context, "operandSegmentSizes",
            mlirDenseI32ArrayGet(context, 2, segments))};
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(nest->op, 0));
  MlirOperationState state = mlirOperationStateGet(
      rm_str("linalg.generic"), mlirOperationGetLocation(nest->op));
  for (intptr_t i = 0; i < nest->num_operands; ++i) {
    MlirValue operand = mlirOperationGetOperand(nest->op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(nest->op), nest->op,
                                      mlirOperationCreate(&state));
  mlirOperationDestroy(nest->op);
}

/*===-- What the output does not overlap ----------------------------------===*/

static bool is_read_too(const Nest *nest, MlirValue output) {
  for (intptr_t i = 0; i + 1 < nest->num_operands; ++i)
    if (mlirValueEqual(mlirOperationGetOperand(nest->op, i), output))
      return true;
  return false;
}

/* Whether a body reads memory that is no operand of its op. */
static MlirWalkResult find_load(MlirOperation op, void *user) {
  bool *found = user;
  *found |= rm_op_is(op, "memref.load");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool loads(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, find_load, &found, MlirWalkPreOrder);
  return found;
}

/* A sum of bf16 stays in memory: machines without the type keep it in registers
 * as f32, and ask a library to round it. */
static bool is_summed_in_registers(MlirValue output) {
  return !mlirTypeIsABF16(
      mlirShapedTypeGetElementType(mlirValueGetType(output)));
}

static bool is_bare_kernel(MlirOperation function) {
  return !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             function, rm_str("remat.kernel"))) &&
         !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
             function, rm_str("llvm.bareptr")));
}

/* Attributes of arguments: none but `noalias` for argument `number`. */
static MlirAttribute arguments_with_noalias(MlirOperation function,
                                            intptr_t number, RmPool *pool) {
  MlirContext context = mlirOperationGetContext(function);
  intptr_t count = mlirBlockGetNumArguments(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  MlirNamedAttribute noalias =
      named(context, "llvm.noalias", mlirUnitAttrGet(context));
  MlirAttribute *all = RM_NEW_ARRAY(pool, MlirAttribute, count);
  for (intptr_t i = 0; i < count; ++i)
    all[i] = mlirDictionaryAttrGet(context, i == number, &noalias);
  return mlirArrayAttrGet(context, count, all);
}

static void mark_output(const Nest *nest, MlirOperation function,
                        RmPool *pool) {
  MlirValue output = mlirOperationGetOperand(nest->op, nest->num_operands - 1);
  if (!mlirValueIsABlockArgument(output) || is_read_too(nest, output) ||
      !is_summed_in_registers(output) || loads(nest->op))
    return;
  mlirOperationSetAttributeByName(
      function, rm_str("arg_attrs"),
      arguments_with_noalias(function, mlirBlockArgumentGetArgNumber(output),
                             pool));
}

static void improve(const Nest *nest, MlirOperation function, RmPool *pool,
                    RmPassRun *run) {
  if (is_bare_kernel(function))
    mark_output(nest, function, pool);
  if (!shall_change(nest))
    return;
  change(nest, pool);
  rm_statistic_add(run, "reordered", 1);
}

bool rm_pass_order_loops(MlirOperation function, RmPassRun *run) {
  Search search = {.pool = rm_pool_create_or_abort()};
  mlirOperationWalk(function, collect, &search, MlirWalkPreOrder);
  for (size_t i = 0; i < search.found.count; ++i)
    improve(&search.found.items[i], function, search.pool, run);
  if (!search.found.count)
    rm_pass_unchanged(run);
  rm_pool_destroy(search.pool);
  return true;
}
