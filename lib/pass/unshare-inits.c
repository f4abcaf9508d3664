/* lib/pass/unshare-inits.c - each user of an init gets its own.
 *
 * A `tensor.empty`, or a `linalg.fill` of one, that many ops read becomes one
 * buffer that lives from the first to the last of them, or a copy for each that
 * writes to it. One for each use, right before its user, lives as short as can
 * be. Fills go first, so that their copies bring empties of their own. What is
 * used inside a region is made inside it.
 *
 * A value that others read too, or an argument that must not be written, is
 * sometimes named as an init for its shape only. To write over it would cost a
 * copy of it, so the op gets an empty as well.
 *
 * needs:  tensors, before bufferization
 * keeps:  every value
 * breaks: sharing of inits, which `cse` would bring back */

#include "model/model.h"
#include "pass/ops.h"
#include "pass/passes.h"
#include "shim/shim.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"

typedef RM_VEC(MlirOperation) OpVec;

typedef struct Search {
  RmPool *pool;
  const char *name;
  OpVec found;
} Search;

typedef struct Use {
  MlirOperation user;
  intptr_t operand;
} Use;

static MlirWalkResult collect(MlirOperation op, void *user) {
  Search *search = user;
  if (rm_op_is(op, search->name))
    rm_vec_push(search->pool, &search->found, op);
  return MlirWalkResultAdvance;
}

static OpVec find_all(MlirOperation module, const char *name, RmPool *pool) {
  Search search = {pool, name, {0}};
  mlirOperationWalk(module, collect, &search, MlirWalkPreOrder);
  return search.found;
}

static bool is_own_before(MlirOperation init, MlirOperation user) {
  MlirOperation next = mlirOperationGetNextInBlock(init);
  return mlirOperationEqual(next, user);
}

/* The empty that a fill writes to; null if it writes to something else. */
static MlirOperation empty_of_fill(MlirOperation fill) {
  if (mlirOperationGetNumResults(fill) != 1 ||
      mlirOperationGetNumOperands(fill) != 2)
    return (MlirOperation){NULL};
  MlirOperation empty = rm_defining_op(mlirOperationGetOperand(fill, 1));
  return rm_op_is(empty, "tensor.empty") ? empty : (MlirOperation){NULL};
}

static MlirOperation clone_before(MlirOperation op, MlirOperation place) {
  MlirOperation clone = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place,
                                      clone);
  return clone;
}

typedef RM_VEC(Use) UseVec;

static UseVec uses_of(MlirValue value, RmPool *pool) {
  UseVec uses = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    Use found = {mlirOpOperandGetOwner(use),
                 mlirOpOperandGetOperandNumber(use)};
    rm_vec_push(pool, &uses, found);
  }
  return uses;
}

/* The first use keeps the op itself, moved to its user; the others get clones.
 * Returns the number of clones; an op without uses is erased. */
static int64_t give_each_use_its_own(MlirOperation op, RmPool *pool) {
  UseVec uses = uses_of(mlirOperationGetResult(op, 0), pool);
  if (!uses.count) {
    mlirOperationDestroy(op);
    return 0;
  }
  for (size_t i = 1; i < uses.count; ++i) {
    MlirOperation own = clone_before(op, uses.items[i].user);
    mlirOperationSetOperand(uses.items[i].user, uses.items[i].operand,
                            mlirOperationGetResult(own, 0));
  }
  if (!is_own_before(op, uses.items[0].user))
    mlirOperationMoveBefore(op, uses.items[0].user);
  return (int64_t)uses.count - 1;
}

/*===-- Inits that matter by their shape ----------------------------------===*/

static bool has_one_use(MlirValue value) {
  return mlirOpOperandIsNull(
      mlirOpOperandGetNextUse(mlirValueGetFirstUse(value)));
}

static bool is_protected_argument(MlirValue value) {
  MlirOperation parent =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  if (!rm_is_function_with_body(parent))
    return false;
  MlirAttribute writable = rm_argument_attribute(
      parent, mlirBlockArgumentGetArgNumber(value), "bufferization.writable");
  return !mlirAttributeIsNull(writable) && !mlirBoolAttrGetValue(writable);
}

/* Whether to write to the buffer of `value` would need a copy of it. */
static bool is_needed_elsewhere(MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return is_protected_argument(value);
  MlirOperation op = rm_defining_op(value);
  return !rm_op_is(op, "tensor.empty") && !rm_op_is(op, "linalg.fill") &&
         !has_one_use(value);
}

static MlirWalkResult start_from_empties(MlirOperation op, void *user) {
  int64_t *made = user;
  int count = rm_op_name_begins(op, "linalg.") ? rm_op_num_inits(op) : 0;
  for (int i = 0; i < count; ++i) {
    int operand = (int)rm_op_init(op, i);
    MlirValue value = mlirOperationGetOperand(op, operand);
    MlirType type = mlirValueGetType(value);
    if (!rm_type_is_static_tensor(type) || !is_needed_elsewhere(value) ||
        !rm_model_shape_only(op, operand))
      continue;
    MlirOperation empty = rm_op_insert(op, "tensor.empty", 0, NULL, type);
    mlirOperationSetOperand(op, operand, mlirOperationGetResult(empty, 0));
    ++*made;
  }
  return MlirWalkResultAdvance;
}

bool rm_pass_unshare_inits(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  OpVec fills = find_all(module, "linalg.fill", pool);
  int64_t cloned_fills = 0, cloned_empties = 0, new_empties = 0;
  for (size_t i = 0; i < fills.count; ++i)
    if (!mlirOperationIsNull(empty_of_fill(fills.items[i])))
      cloned_fills += give_each_use_its_own(fills.items[i], pool);
  OpVec empties = find_all(module, "tensor.empty", pool);
  for (size_t i = 0; i < empties.count; ++i)
    cloned_empties += give_each_use_its_own(empties.items[i], pool);
  mlirOperationWalk(module, start_from_empties, &new_empties, MlirWalkPreOrder);
  rm_statistic_add(run, "fills", cloned_fills);
  rm_statistic_add(run, "empties", cloned_empties + new_empties);
  if (!fills.count && !empties.count && !new_empties)
    rm_pass_unchanged(run);
  rm_pool_destroy(pool);
  return true;
}
