/* lib/pass/memory-scalars.c - what is equal everywhere is not stored.
 *
 * A buffer that one linalg.fill writes, before all its readers, is its scalar:
 * a linalg.generic that reads it takes that as an operand instead, a load is
 * it, a copy is another fill. If every reader can do so, views in between
 * included, the buffer goes. A constant whose elements are all equal is read
 * like that by whoever can.
 *
 * needs:  bufferized functions
 * keeps:  every value */

#include "pass/memory-planner.h"

#include "pass/ops.h"
#include "shim/shim.h"
#include "support/vec.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef RM_VEC(MlirOperation) OpVec;

typedef struct Scalar {
  RmMemoryPlanner *p;
  MlirOperation fill;  /* null: of a constant, */
  MlirAttribute splat; /* with these elements */
} Scalar;

/*===-- Readers -----------------------------------------------------------===*/

static MlirAffineMap map_of(MlirAttribute maps, intptr_t i) {
  return mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
}

static MlirAttribute maps_of(MlirOperation generic) {
  return mlirOperationGetAttributeByName(generic, rm_str("indexing_maps"));
}

/* Whether the operand's shape tells how far the loop goes. */
static bool bounds_loop(MlirAffineMap map, intptr_t loop) {
  for (intptr_t k = 0; k < mlirAffineMapGetNumResults(map); ++k) {
    MlirAffineExpr expression = mlirAffineMapGetResult(map, k);
    if (mlirAffineExprIsADim(expression) &&
        mlirAffineDimExprGetPosition(expression) == loop)
      return true;
  }
  return false;
}

/* Without `value` all loops are still bounded. */
static bool can_do_without(MlirOperation generic, MlirValue value) {
  MlirAttribute maps = maps_of(generic);
  intptr_t loops = mlirAffineMapGetNumDims(map_of(maps, 0));
  for (intptr_t d = 0; d < loops; ++d) {
    bool is_bounded = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(generic); ++i)
      is_bounded |=
          !mlirValueEqual(mlirOperationGetOperand(generic, i), value) &&
          bounds_loop(map_of(maps, i), d);
    if (!is_bounded)
      return false;
  }
  return true;
}

static bool is_only_input(MlirOperation generic, MlirValue value) {
  for (int i = 0; i < rm_op_num_inits(generic); ++i)
    if (mlirValueEqual(mlirOperationGetOperand(generic, rm_op_init(generic, i)),
                       value))
      return false;
  return true;
}

static bool may_read_scalar(MlirOperation op, MlirValue value) {
  if (rm_op_is(op, "linalg.generic"))
    return is_only_input(op, value) && can_do_without(op, value);
  return rm_op_is(op, "memref.load") ||
         (rm_op_is(op, "memref.copy") &&
          !mlirValueEqual(mlirOperationGetOperand(op, 1), value));
}

static MlirType element_of(MlirValue value) {
  return mlirShapedTypeGetElementType(mlirValueGetType(value));
}

/* A view of the same elements, and nothing else. */
static bool is_plain_view(const Scalar *s, MlirOperation op) {
  if (!rm_memory_is_view(&s->p->uses, op) ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  MlirValue view = mlirOperationGetResult(op, 0);
  return rm_type_is_memref(mlirValueGetType(view)) &&
         mlirTypeEqual(element_of(view),
                       element_of(mlirOperationGetOperand(op, 0)));
}

static bool is_behind(MlirOperation op, MlirOperation fill) {
  MlirOperation here = rm_ancestor_in(op, mlirOperationGetBlock(fill));
  return !mlirOperationIsNull(here) && !mlirOperationEqual(here, fill) &&
         mlirOperationIsBeforeInBlock(fill, here);
}

static bool all_may_read_scalar(const Scalar *s, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(op, s->fill) || rm_op_is(op, "memref.dealloc"))
      continue;
    bool may = is_plain_view(s, op)
                   ? all_may_read_scalar(s, mlirOperationGetResult(op, 0))
                   : is_behind(op, s->fill) && may_read_scalar(op, value);
    if (!may)
      return false;
  }
  return true;
}

/*===-- Reading -----------------------------------------------------------===*/

static MlirValue scalar_at(const Scalar *s, MlirOperation op) {
  return mlirOperationIsNull(s->fill) ? rm_op_insert_constant(op, s->splat)
                                      : mlirOperationGetOperand(s->fill, 0);
}

static void take_as_operand(const Scalar *s, MlirOperation generic,
                            MlirValue value) {
  MlirContext context = s->p->context;
  MlirAttribute maps = maps_of(generic);
  intptr_t count = mlirOperationGetNumOperands(generic);
  MlirAttribute *all = RM_NEW_ARRAY(s->p->pool, MlirAttribute, count);
  MlirValue scalar = scalar_at(s, generic);
  MlirAttribute nowhere = mlirAffineMapAttrGet(mlirAffineMapZeroResultGet(
      context, mlirAffineMapGetNumDims(map_of(maps, 0)), 0));
  for (intptr_t i = 0; i < count; ++i) {
    bool is_it = mlirValueEqual(mlirOperationGetOperand(generic, i), value);
    all[i] = is_it ? nowhere : mlirArrayAttrGetElement(maps, i);
    if (is_it)
      mlirOperationSetOperand(generic, i, scalar);
  }
  mlirOperationSetAttributeByName(generic, rm_str("indexing_maps"),
                                  mlirArrayAttrGet(context, count, all));
}

static void read_scalar(const Scalar *s, MlirOperation op, MlirValue value) {
  s->p->changed = true;
  if (rm_op_is(op, "linalg.generic")) {
    take_as_operand(s, op, value);
  } else if (rm_op_is(op, "memref.copy")) {
    rm_memory_replace_by_fill(op, scalar_at(s, op),
                              mlirOperationGetOperand(op, 1));
  } else {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  scalar_at(s, op));
    mlirOperationDestroy(op);
  }
}

static bool is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

/* All readers that can. */
static void let_readers_read(const Scalar *s, MlirValue value) {
  OpVec users = {0};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool is_known = false;
    for (size_t i = 0; i < users.count; ++i)
      is_known |= mlirOperationEqual(users.items[i], op);
    if (!is_known)
      rm_vec_push(s->p->pool, &users, op);
  }
  for (size_t i = 0; i < users.count; ++i) {
    MlirOperation op = users.items[i];
    if (is_plain_view(s, op)) {
      MlirValue view = mlirOperationGetResult(op, 0);
      let_readers_read(s, view);
      if (!is_used(view))
        mlirOperationDestroy(op);
    } else if (may_read_scalar(op, value)) {
      read_scalar(s, op, value);
    }
  }
}

/*===-- Buffers and constants ---------------------------------------------===*/

/* The only fill of the buffer, or null. */
static MlirOperation fill_of(MlirValue buffer) {
  MlirOperation none = {NULL}, fill = none;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (!rm_op_is(op, "linalg.fill"))
      continue;
    if (!mlirOperationIsNull(fill))
      return none;
    fill = op;
  }
  return fill;
}

static void erase_with_frees(MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  while (is_used(buffer))
    mlirOperationDestroy(mlirOpOperandGetOwner(mlirValueGetFirstUse(buffer)));
  mlirOperationDestroy(alloc);
}

static void try_buffer(RmMemoryPlanner *p, MlirOperation alloc) {
  MlirValue buffer = mlirOperationGetResult(alloc, 0);
  Scalar s = {.p = p, .fill = fill_of(buffer)};
  if (mlirOperationIsNull(s.fill) || !all_may_read_scalar(&s, buffer))
    return;
  let_readers_read(&s, buffer);
  erase_with_frees(alloc);
  p->changed = true;
  rm_statistic_add(p->run, "scalars", 1);
}

static void try_constant(RmMemoryPlanner *p, MlirOperation get_global) {
  Scalar s = {.p = p, .splat = rm_memory_splat(p, get_global)};
  if (mlirAttributeIsNull(s.splat))
    return;
  let_readers_read(&s, mlirOperationGetResult(get_global, 0));
  if (is_used(mlirOperationGetResult(get_global, 0)))
    return;
  mlirOperationDestroy(get_global);
  p->changed = p->fills_splats = true;
}

typedef struct Candidates {
  RmPool *pool;
  OpVec ops;
} Candidates;

static MlirWalkResult note(MlirOperation op, void *user) {
  Candidates *c = user;
  if (rm_op_is(op, "memref.alloc") || rm_op_is(op, "memref.get_global"))
    rm_vec_push(c->pool, &c->ops, op);
  return MlirWalkResultAdvance;
}

void rm_memory_read_scalars(RmMemoryPlanner *p) {
  Candidates c = {.pool = p->pool};
  mlirOperationWalk(p->function, note, &c, MlirWalkPreOrder);
  for (size_t i = 0; i < c.ops.count; ++i)
    if (rm_op_is(c.ops.items[i], "memref.alloc"))
      try_buffer(p, c.ops.items[i]);
    else
      try_constant(p, c.ops.items[i]);
}
