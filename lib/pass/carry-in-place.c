/* lib/pass/carry-in-place.c - what leaves a region goes into a buffer outside.
 *
 * A loop that yields a tensor made in its body, or a branch that yields one,
 * bufferizes to a fresh allocation for each iteration or branch, which no fixed
 * place can hold. So each yielded tensor is materialised in a destination that
 * stands outside: the iteration's own argument in a loop, one new buffer for
 * all branches of an `scf.if`. Where the ops that make the tensor can write to
 * the destination from the start, because nobody reads it from then on, their
 * own `tensor.empty` is replaced by it and the copy vanishes.
 *
 * A loop that yields another of its arguments (a swap) first takes a copy.
 *
 * needs:  tensors, before bufferization
 * keeps:  every value: all that is added is an identity on values
 * breaks: nothing */

#include "pass/ops.h"
#include "pass/passes.h"
#include "support/vec.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"

#include <string.h>

typedef RM_VEC(MlirOperation) OpVec;

typedef struct Carry {
  RmPool *pool;
  OpVec ops; /* loops and branches, outer ones first */
  int64_t materialised, direct;
} Carry;

static bool is_branch(MlirOperation op) {
  return rm_op_is(op, "scf.if") || rm_op_is(op, "scf.index_switch") ||
         rm_op_is(op, "scf.execute_region");
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Carry *carry = user;
  if (mlirOperationGetNumResults(op) &&
      (rm_op_is(op, "scf.for") || rm_op_is(op, "scf.while") || is_branch(op)))
    rm_vec_push(carry->pool, &carry->ops, op);
  return MlirWalkResultAdvance;
}

/* A buffer of its own for a tensor, with the elements of `copy` if that is not
 * null. */
static MlirValue new_buffer(MlirOperation place, MlirType type,
                            MlirValue copy) {
  MlirContext context = mlirOperationGetContext(place);
  int copies = !mlirValueIsNull(copy);
  MlirNamedAttribute segments = mlirNamedAttributeGet(
      mlirIdentifierGet(context, rm_str("operandSegmentSizes")),
      mlirDenseI32ArrayGet(context, 3, (int32_t[]){0, copies, 0}));
  MlirOperationState state = mlirOperationStateGet(
      rm_str("bufferization.alloc_tensor"), mlirOperationGetLocation(place));
  mlirOperationStateAddOperands(&state, copies, &copy);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &segments);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
  return mlirOperationGetResult(op, 0);
}

/*===-- Who writes where --------------------------------------------------===*/

/* The operand whose buffer result `i` of `op` is written to, or which it is a
 * view of with equal elements; -1 if there is none. */
static intptr_t written_operand(MlirOperation op, intptr_t i) {
  if (rm_op_is(op, "tensor.insert_slice") || rm_op_is(op, "tensor.insert") ||
      rm_op_is(op, "bufferization.materialize_in_destination"))
    return 1;
  if (rm_op_is(op, "scf.for"))
    return 3 + i;
  int inits = rm_op_name_begins(op, "linalg.") ? rm_op_num_inits(op) : 0;
  return i < inits ? rm_op_init(op, (int)i) : -1;
}

static bool is_view(MlirOperation op) {
  return rm_op_is(op, "tensor.extract_slice") || rm_op_is(op, "tensor.cast") ||
         rm_op_is(op, "tensor.collapse_shape") ||
         rm_op_is(op, "tensor.expand_shape");
}

/* The value whose buffer `value` may share, as far as it can be followed. */
static MlirValue base_of(MlirValue value) {
  for (;;) {
    MlirOperation op = rm_defining_op(value);
    if (mlirOperationIsNull(op))
      return value;
    intptr_t operand =
        is_view(op) ? 0
                    : written_operand(op, mlirOpResultGetResultNumber(value));
    if (operand < 0)
      return value;
    value = mlirOperationGetOperand(op, operand);
  }
}

/*===-- Writing to the destination from the start -------------------------===*/

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static bool is_identity_map(MlirAttribute maps, intptr_t i) {
  MlirAttribute map = mlirArrayAttrGetElement(maps, i);
  return mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(map));
}

/* Whether `op` reads operand `i` only at the element that it writes. */
static bool reads_in_place(MlirOperation op, intptr_t i) {
  if (!rm_op_name_begins(op, "linalg.") || mlirOperationGetNumResults(op) != 1)
    return false;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps) || mlirArrayAttrGetNumElements(maps) <= i)
    return false;
  return is_identity_map(maps, i) &&
         is_identity_map(maps, mlirOperationGetNumOperands(op) - 1);
}

/* Whether nothing but `writer` reads `value`, or a view of it, once `first` has
 * begun. Only `first` itself may read it, element by element. */
static bool is_free_from(MlirValue value, MlirOperation first,
                         MlirOperation writer) {
  MlirBlock block = mlirOperationGetBlock(first);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation at = rm_ancestor_in(user, block);
    if (mlirOperationIsNull(at))
      return false;
    if (mlirOperationEqual(user, writer))
      continue;
    if (mlirOperationEqual(user, first) &&
        reads_in_place(first, mlirOpOperandGetOperandNumber(use)))
      continue;
    if (!mlirOperationIsBeforeInBlock(at, first))
      return false;
    for (intptr_t i = 0; is_view(user) && i < mlirOperationGetNumResults(user);
         ++i)
      if (!is_free_from(mlirOperationGetResult(user, i), first, writer))
        return false;
  }
  return true;
}

/* The chain of ops that write to the buffer of `value`, back to the empty that
 * it starts from; null if it does not, or if others see it on the way. */
static MlirOperation empty_behind(MlirValue value, MlirBlock block,
                                  MlirOperation *first) {
  for (bool is_end = true;; is_end = false) {
    MlirOperation op = rm_defining_op(value);
    if (mlirOperationIsNull(op) || (!is_end && !has_one_use(value)))
      return (MlirOperation){NULL};
    if (rm_op_is(op, "tensor.empty"))
      return is_end ? (MlirOperation){NULL} : op;
    intptr_t operand = written_operand(op, mlirOpResultGetResultNumber(value));
    if (operand < 0 || !mlirBlockEqual(mlirOperationGetBlock(op), block))
      return (MlirOperation){NULL};
    *first = op;
    value = mlirOperationGetOperand(op, operand);
  }
}

/* `other_readers` of the destination are in the block of `yield`; without, it
 * is a new buffer that nobody reads. */
static bool write_directly(MlirValue value, MlirValue destination,
                           bool other_readers, MlirOperation yield) {
  MlirOperation first = {NULL}, nobody = {NULL};
  MlirOperation empty =
      empty_behind(value, mlirOperationGetBlock(yield), &first);
  if (mlirOperationIsNull(empty))
    return false;
  MlirValue own = mlirOperationGetResult(empty, 0);
  if (!mlirTypeEqual(mlirValueGetType(own), mlirValueGetType(destination)) ||
      (other_readers && !is_free_from(destination, first, nobody)))
    return false;
  mlirValueReplaceAllUsesOfWith(own, destination);
  mlirOperationDestroy(empty);
  return true;
}

/* The yielded operand becomes itself, materialised in `destination`. */
static void materialise(Carry *carry, MlirOperation yield, intptr_t operand,
                        MlirValue destination, bool other_readers) {
  MlirValue value = mlirOperationGetOperand(yield, operand);
  if (mlirValueEqual(value, destination))
    return;
  carry->direct += write_directly(value, destination, other_readers, yield);
  MlirOperation op = rm_op_insert(
      yield, "bufferization.materialize_in_destination", 2,
      (MlirValue[]){value, destination}, mlirValueGetType(destination));
  mlirOperationSetOperand(yield, operand, mlirOperationGetResult(op, 0));
  ++carry->materialised;
}

/*===-- Loops -------------------------------------------------------------===*/

/* What is yielded for one argument but may share the buffer of another would be
 * overwritten too early. `arguments` go with the operands of `yield`; null ones
 * are not carried in place. */
static void copy_what_is_swapped(MlirOperation yield,
                                 const MlirValue *arguments, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    if (!rm_type_is_static_tensor(mlirValueGetType(value)))
      continue;
    MlirValue base = base_of(value);
    for (intptr_t j = 0; j < count; ++j)
      if (j != i && !mlirValueIsNull(arguments[j]) &&
          mlirValueEqual(base, arguments[j]))
        mlirOperationSetOperand(
            yield, i, new_buffer(yield, mlirValueGetType(value), value));
  }
}

static void carry_each(Carry *carry, MlirOperation yield,
                       const MlirValue *arguments, intptr_t count) {
  copy_what_is_swapped(yield, arguments, count);
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirValueIsNull(arguments[i]))
      materialise(carry, yield, i, arguments[i], true);
}

static void carry_for(Carry *carry, MlirOperation loop) {
  MlirOperation yield = rm_yield_of(loop, 0);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  intptr_t count = mlirOperationGetNumResults(loop);
  MlirValue *arguments = RM_NEW_ARRAY(carry->pool, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue argument = mlirBlockGetArgument(body, i + 1);
    if (rm_type_is_static_tensor(mlirValueGetType(argument)))
      arguments[i] = argument;
  }
  carry_each(carry, yield, arguments, count);
}

/* In a while loop the second region sees what the first one passes on; it can
 * write in place what is passed on as it came. */
static void carry_while(Carry *carry, MlirOperation loop) {
  MlirOperation condition = rm_yield_of(loop, 0), yield = rm_yield_of(loop, 1);
  if (mlirOperationIsNull(condition) || mlirOperationIsNull(yield))
    return;
  MlirBlock before = mlirOperationGetBlock(condition);
  MlirBlock after = mlirOperationGetBlock(yield);
  intptr_t count = mlirOperationGetNumOperands(yield);
  MlirValue *arguments = RM_NEW_ARRAY(carry->pool, MlirValue, count);
  for (intptr_t j = 1; j < mlirOperationGetNumOperands(condition); ++j) {
    MlirValue passed = mlirOperationGetOperand(condition, j);
    if (!mlirValueIsABlockArgument(passed) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(passed), before) ||
        !rm_type_is_static_tensor(mlirValueGetType(passed)))
      continue;
    intptr_t i = mlirBlockArgumentGetArgNumber(passed);
    if (mlirValueIsNull(arguments[i]))
      arguments[i] = mlirBlockGetArgument(after, j - 1);
  }
  carry_each(carry, yield, arguments, count);
}

/*===-- Branches ----------------------------------------------------------===*/

/* Where the result goes anyway, if that can be written here already. */
static MlirValue destination_of_result(MlirOperation branch, MlirValue result) {
  MlirOpOperand use = mlirValueGetFirstUse(result);
  if (!has_one_use(result) || mlirOpOperandGetOperandNumber(use) != 0)
    return (MlirValue){NULL};
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (!rm_op_is(user, "bufferization.materialize_in_destination") ||
      !mlirBlockEqual(mlirOperationGetBlock(user),
                      mlirOperationGetBlock(branch)))
    return (MlirValue){NULL};
  MlirValue destination = mlirOperationGetOperand(user, 1);
  MlirOperation maker = rm_defining_op(destination);
  bool is_outside = mlirOperationIsNull(maker) ||
                    !mlirBlockEqual(mlirOperationGetBlock(maker),
                                    mlirOperationGetBlock(branch));
  bool is_ours = rm_op_is(maker, "bufferization.alloc_tensor") && is_outside;
  if (is_ours ||
      (mlirOperationIsNull(maker) && is_free_from(destination, branch, user)))
    return destination;
  return (MlirValue){NULL};
}

static bool yields_are_simple(MlirOperation branch) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r)
    if (!rm_op_is(rm_yield_of(branch, r), "scf.yield"))
      return false;
  return true;
}

static void carry_branch(Carry *carry, MlirOperation branch) {
  if (!yields_are_simple(branch))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(branch); ++i) {
    MlirValue result = mlirOperationGetResult(branch, i);
    if (!rm_type_is_static_tensor(mlirValueGetType(result)))
      continue;
    MlirValue destination = destination_of_result(branch, result);
    if (mlirValueIsNull(destination))
      destination =
          new_buffer(branch, mlirValueGetType(result), (MlirValue){NULL});
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r)
      materialise(carry, rm_yield_of(branch, r), i, destination, false);
  }
}

bool rm_pass_carry_in_place(MlirOperation module, RmPassRun *run) {
  Carry carry = {.pool = rm_pool_create_or_abort()};
  mlirOperationWalk(module, collect, &carry, MlirWalkPreOrder);
  for (size_t i = 0; i < carry.ops.count; ++i) {
    MlirOperation op = carry.ops.items[i];
    if (rm_op_is(op, "scf.for"))
      carry_for(&carry, op);
    else if (rm_op_is(op, "scf.while"))
      carry_while(&carry, op);
    else
      carry_branch(&carry, op);
  }
  rm_statistic_add(run, "materialised", carry.materialised);
  rm_statistic_add(run, "direct", carry.direct);
  if (!carry.materialised)
    rm_pass_unchanged(run);
  rm_pool_destroy(carry.pool);
  return true;
}
