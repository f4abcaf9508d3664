/* lib/pass/memory-branches.c - what each branch makes and yields is one buffer.
 *
 * Where every region of an scf.if, affine.if or scf.index_switch yields a
 * buffer that it makes itself, only one of these comes to be: one allocation
 * before the op serves all, and stands for the result. Inner ops go first, so
 * that what they yield is made by the region around them. */

#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"

static MlirOperation yielded(MlirOperation op, intptr_t region, intptr_t i) {
  return rm_defining_op(mlirOperationGetOperand(rm_yield_of(op, region), i));
}

/* Directly in the region, of static size, and yielded as no other result. */
static bool yields_its_own(MlirOperation op, intptr_t region, intptr_t i) {
  MlirOperation yield = rm_yield_of(op, region), made = {NULL};
  if (mlirOperationIsNull(yield))
    return false;
  made = yielded(op, region, i);
  if (!rm_op_is(made, "memref.alloc") || mlirOperationGetNumOperands(made) ||
      !mlirBlockEqual(mlirOperationGetBlock(made),
                      mlirOperationGetBlock(yield)))
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(yield); ++k)
    if (k != i && mlirOperationEqual(yielded(op, region, k), made))
      return false;
  return true;
}

static void take_alignment(MlirOperation one, MlirOperation other) {
  MlirStringRef name = rm_str("alignment");
  MlirAttribute mine = mlirOperationGetAttributeByName(one, name);
  MlirAttribute its = mlirOperationGetAttributeByName(other, name);
  if (!mlirAttributeIsNull(its) &&
      (mlirAttributeIsNull(mine) ||
       mlirIntegerAttrGetValueInt(mine) < mlirIntegerAttrGetValueInt(its)))
    mlirOperationSetAttributeByName(one, name, its);
}

static void join(MlirOperation op, intptr_t i) {
  MlirOperation one = yielded(op, 0, i);
  MlirValue buffer = mlirOperationGetResult(one, 0);
  mlirOperationMoveBefore(one, op);
  for (intptr_t r = 1; r < mlirOperationGetNumRegions(op); ++r) {
    MlirOperation other = yielded(op, r, i);
    take_alignment(one, other);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(other, 0), buffer);
    mlirOperationDestroy(other);
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), buffer);
}

static MlirWalkResult join_branches(MlirOperation op, void *user) {
  RmMemoryPlanner *p = user;
  intptr_t regions = mlirOperationGetNumRegions(op);
  if (regions < 2 || rm_memory_use(&p->uses, op) != RM_USE_BRANCHES)
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    bool makes_all = true;
    for (intptr_t r = 0; r < regions && makes_all; ++r)
      makes_all = yields_its_own(op, r, i);
    if (!makes_all)
      continue;
    join(op, i);
    p->changed = true;
  }
  return MlirWalkResultAdvance;
}

void rm_memory_join_branches(RmMemoryPlanner *p) {
  mlirOperationWalk(p->function, join_branches, p, MlirWalkPostOrder);
}
