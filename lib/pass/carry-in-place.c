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

static bool has_type_of(MlirValue a, MlirValue b) {
  return mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b));
}

/* The operand whose buffer result `i` of `op` is written to, or which it is a
 * view of with equal elements; -1 if there is none. */
static intptr_t written_operand(MlirOperation op, intptr_t i) {
  if (rm_op_is(op, "tensor.insert_slice") || rm_op_is(op, "tensor.insert") ||
      rm_op_is(op, "bufferization.materialize_in_destination"))
    return 1;
  if (rm_op_is(op, "remat.checkpoint") || rm_op_is(op, "remat.recompute"))
    return i;
  if (rm_op_is(op, "scf.for"))
    return 3 + i;
  if (rm_op_is(op, "scf.while"))
    return i < mlirOperationGetNumOperands(op) &&
                   has_type_of(mlirOperationGetOperand(op, i),
                               mlirOperationGetResult(op, i))
               ? i
               : -1;
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

typedef struct Use {
  MlirOperation op;
  intptr_t operand;
} Use;

static const Use no_use = {{NULL}, -1};

static bool is_use(MlirOpOperand use, Use other) {
  return mlirOperationEqual(mlirOpOperandGetOwner(use), other.op) &&
         (intptr_t)mlirOpOperandGetOperandNumber(use) == other.operand;
}

/* Whether nothing reads `value`, or a view of it, once `first` has begun.
 * `except` does not count, nor does what `first` reads element by element. */
static bool is_free_from(MlirValue value, MlirOperation first, Use except) {
  MlirBlock block = mlirOperationGetBlock(first);
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation at = rm_ancestor_in(user, block);
    if (is_use(use, except) ||
        (mlirOperationEqual(user, first) &&
         reads_in_place(first, mlirOpOperandGetOperandNumber(use))))
      continue;
    if (mlirOperationIsNull(at) || !mlirOperationIsBeforeInBlock(at, first))
      return false;
    for (intptr_t i = 0; is_view(user) && i < mlirOperationGetNumResults(user);
         ++i)
      if (!is_free_from(mlirOperationGetResult(user, i), first, except))
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
  MlirOperation first = {NULL};
  MlirOperation empty =
      empty_behind(value, mlirOperationGetBlock(yield), &first);
  if (mlirOperationIsNull(empty))
    return false;
  MlirValue own = mlirOperationGetResult(empty, 0);
  if (!mlirTypeEqual(mlirValueGetType(own), mlirValueGetType(destination)) ||
      (other_readers && !is_free_from(destination, first, no_use)))
    return false;
  mlirValueReplaceAllUsesOfWith(own, destination);
  mlirOperationDestroy(empty);
  return true;
}

/*===-- A loop that starts from the destination ---------------------------===*/

/* Bufferization takes the result of an inner loop to share the buffer that the
 * loop starts from, whatever it decides later. If that is the destination, the
 * result cannot also be materialised there: either it stands there already, or
 * the loop must start from a copy. */

static bool is_passed_twice(MlirOperation condition, MlirValue value) {
  int times = 0;
  for (intptr_t j = 1; j < mlirOperationGetNumOperands(condition); ++j)
    times += mlirValueEqual(mlirOperationGetOperand(condition, j), value);
  return times > 1;
}

/* Whether result `i` of a loop surely comes to stand where operand
 * `written_operand` does, as far as the loop is concerned. */
static bool loop_returns_in_place(MlirOperation loop, intptr_t i) {
  if (rm_op_is(loop, "scf.for"))
    return true;
  MlirOperation condition = rm_yield_of(loop, 0);
  MlirBlock before = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  MlirValue argument = mlirBlockGetArgument(before, i);
  return !mlirOperationIsNull(condition) &&
         mlirValueEqual(mlirOperationGetOperand(condition, i + 1), argument) &&
         !is_passed_twice(condition, argument);
}

typedef struct Chain { /* of ops that write to one buffer, one after another */
  Use start;           /* of the destination */
  bool has_loop;
  bool in_place; /* nobody reads what they overwrite */
} Chain;

/* The ops between the destination and `value`; no start if there are none. */
static Chain chain_between(MlirValue destination, MlirValue value) {
  Chain chain = {no_use, false, true};
  while (!mlirValueEqual(value, destination)) {
    MlirOperation op = rm_defining_op(value);
    if (mlirOperationIsNull(op))
      return (Chain){no_use, false, true};
    intptr_t i = mlirOpResultGetResultNumber(value);
    intptr_t operand = is_view(op) ? 0 : written_operand(op, i);
    if (operand < 0)
      return (Chain){no_use, false, true};
    bool loops = rm_op_is(op, "scf.for") || rm_op_is(op, "scf.while");
    chain.start = (Use){op, operand};
    value = mlirOperationGetOperand(op, operand);
    chain.has_loop |= loops;
    chain.in_place &= !is_view(op) &&
                      (!loops || loop_returns_in_place(op, i)) &&
                      is_free_from(value, op, chain.start);
  }
  return chain;
}

/* True if `value` stands in the destination as it is. */
static bool settle_loops(MlirValue value, MlirValue destination) {
  Chain chain = chain_between(destination, value);
  if (mlirOperationIsNull(chain.start.op) || !chain.has_loop)
    return false;
  if (!chain.in_place)
    mlirOperationSetOperand(
        chain.start.op, chain.start.operand,
        new_buffer(chain.start.op, mlirValueGetType(destination), destination));
  return chain.in_place;
}

/*===-- What one terminator yields ----------------------------------------===*/

/* The operands of a yield and where they go; null: nowhere in particular. */
typedef struct Yield {
  MlirOperation op;
  const MlirValue *destinations;
  intptr_t count;
  bool others_read; /* the destinations, before the yield */
  bool *settled;    /* by operand: it stands in its destination */
} Yield;

static MlirValue yielded(const Yield *y, intptr_t i) {
  return mlirOperationGetOperand(y->op, i);
}

/* The first operand that yields the same value. */
static intptr_t first_equal(const Yield *y, intptr_t i) {
  intptr_t first = 0;
  while (!mlirValueEqual(yielded(y, first), yielded(y, i)))
    ++first;
  return first;
}

/* What goes to one destination but shares the buffer of another would be
 * overwritten before it is read. */
static bool shares_another(const Yield *y, intptr_t i) {
  MlirValue base = base_of(yielded(y, i));
  for (intptr_t j = 0; j < y->count; ++j)
    if (j != i && mlirValueEqual(base, y->destinations[j]) &&
        !mlirValueEqual(yielded(y, j), yielded(y, i)))
      return true;
  return false;
}

static void write_what_can_be(Carry *carry, const Yield *y) {
  for (intptr_t i = 0; i < y->count; ++i)
    if (!mlirValueIsNull(y->destinations[i]))
      carry->direct += write_directly(yielded(y, i), y->destinations[i],
                                      y->others_read, y->op);
  for (intptr_t i = 0; i < y->count; ++i)
    if (!mlirValueIsNull(y->destinations[i]))
      y->settled[i] = settle_loops(yielded(y, i), y->destinations[i]);
}

static void copy_what_is_shared(const Yield *y) {
  for (intptr_t i = 0; i < y->count; ++i) {
    MlirValue value = yielded(y, i);
    if (rm_type_is_static_tensor(mlirValueGetType(value)) &&
        shares_another(y, i))
      mlirOperationSetOperand(
          y->op, i, new_buffer(y->op, mlirValueGetType(value), value));
  }
}

static bool is_constant(MlirValue value) {
  return rm_op_is(rm_defining_op(value), "arith.constant");
}

/* Each operand becomes itself, materialised in its destination. A value that
 * goes to several is read from the first one; a constant is written anew. */
static void materialise_all(Carry *carry, const Yield *y) {
  MlirValue *results = RM_NEW_ARRAY(carry->pool, MlirValue, y->count);
  for (intptr_t i = 0; i < y->count; ++i) {
    intptr_t first = first_equal(y, i);
    bool again = first < i && !y->settled[i] && !is_constant(yielded(y, i));
    MlirValue value = again ? results[first] : yielded(y, i);
    results[i] = value;
    if (mlirValueIsNull(y->destinations[i]) || y->settled[i] ||
        mlirValueEqual(value, y->destinations[i]))
      continue;
    MlirOperation op =
        rm_op_insert(y->op, "bufferization.materialize_in_destination", 2,
                     (MlirValue[]){value, y->destinations[i]},
                     mlirValueGetType(y->destinations[i]));
    results[i] = mlirOperationGetResult(op, 0);
    ++carry->materialised;
  }
  for (intptr_t i = 0; i < y->count; ++i)
    mlirOperationSetOperand(y->op, i, results[i]);
}

static void carry_yield(Carry *carry, MlirOperation op,
                        const MlirValue *destinations, intptr_t count,
                        bool others_read) {
  Yield y = {op, destinations, count, others_read,
             RM_NEW_ARRAY(carry->pool, bool, count)};
  write_what_can_be(carry, &y);
  copy_what_is_shared(&y);
  materialise_all(carry, &y);
}

/*===-- Loops -------------------------------------------------------------===*/

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
  carry_yield(carry, yield, arguments, count, true);
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
    if (!is_passed_twice(condition, passed))
      arguments[mlirBlockArgumentGetArgNumber(passed)] =
          mlirBlockGetArgument(after, j - 1);
  }
  carry_yield(carry, yield, arguments, count, true);
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
  if (is_ours || (mlirOperationIsNull(maker) &&
                  is_free_from(destination, branch, (Use){user, 1})))
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
  intptr_t count = mlirOperationGetNumResults(branch);
  MlirValue *destinations = RM_NEW_ARRAY(carry->pool, MlirValue, count);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue result = mlirOperationGetResult(branch, i);
    MlirType type = mlirValueGetType(result);
    if (!rm_type_is_static_tensor(type))
      continue;
    destinations[i] = destination_of_result(branch, result);
    if (mlirValueIsNull(destinations[i]))
      destinations[i] = new_buffer(branch, type, (MlirValue){NULL});
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(branch); ++r)
    carry_yield(carry, rm_yield_of(branch, r), destinations, count, false);
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
