/* lib/pass/memory-moves.c - ops that read and write memory, earlier in their
 * block.
 *
 * An op may be moved up over others if it writes nothing that they touch and
 * reads nothing that they write, and if all that it is made of is there
 * already. Views and allocations of static size move along.
 *
 * Invariant: two memrefs are told apart only by the buffers that they are views
 * of, and only if at least one of these is `owned`. */

#include "pass/memory-moves.h"

#include "pass/ops.h"
#include "shim/shim.h"

enum { MOST_BETWEEN = 256 }; /* ops to look at for one move */

bool rm_moves_is_before(MlirOperation op, MlirOperation place) {
  return mlirOperationIsNull(op) ||
         !mlirBlockEqual(mlirOperationGetBlock(op),
                         mlirOperationGetBlock(place)) ||
         mlirOperationIsBeforeInBlock(op, place);
}

/*===-- Views -------------------------------------------------------------===*/

static bool are_operands_before(MlirOperation op, intptr_t first,
                                MlirOperation place) {
  for (intptr_t i = first; i < mlirOperationGetNumOperands(op); ++i)
    if (!rm_moves_is_before(rm_defining_op(mlirOperationGetOperand(op, i)),
                            place))
      return false;
  return true;
}

bool rm_moves_can_make(const RmMemoryMoves *m, MlirValue view,
                       MlirOperation place) {
  for (MlirOperation op = rm_defining_op(view); !rm_moves_is_before(op, place);
       op = rm_defining_op(view)) {
    if (!rm_memory_is_view(m->uses, op))
      return rm_memory_use(m->uses, op) == RM_USE_ALLOCATES &&
             mlirOperationGetNumOperands(op) == 0;
    if (!are_operands_before(op, 1, place))
      return false;
    view = mlirOperationGetOperand(op, 0);
  }
  return true;
}

/* Moved in MLIR's own way, an op makes its block count all its ops anew when it
 * is next asked for their order. */
static void move_before(MlirOperation op, MlirOperation place) {
  mlirOperationRemoveFromParent(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
}

void rm_moves_make(MlirValue view, MlirOperation place) {
  MlirOperation op = rm_defining_op(view);
  if (rm_moves_is_before(op, place))
    return;
  move_before(op, place);
  if (mlirOperationGetNumOperands(op))
    rm_moves_make(mlirOperationGetOperand(op, 0), op);
}

/*===-- Who reads and writes what -----------------------------------------===*/

static bool is_memref(MlirValue value) {
  return rm_type_is_memref(mlirValueGetType(value));
}

static bool is_plain(MlirOperation op) {
  return rm_op_is(op, "memref.copy") || rm_op_is(op, "memref.load") ||
         rm_op_is(op, "memref.store") ||
         (rm_op_name_begins(op, "linalg.") && !rm_memory_body_uses(op));
}

static bool writes(MlirOperation op, intptr_t operand) {
  if (!rm_op_name_begins(op, "linalg."))
    return operand == 1 && !rm_op_is(op, "memref.load");
  intptr_t first = rm_op_init(op, 0);
  return operand >= first && operand < first + rm_op_num_inits(op);
}

static bool is_argument_or_global(MlirValue base) {
  return rm_memory_is_argument(base) ||
         rm_op_is(rm_defining_op(base), "memref.get_global");
}

static bool may_share(const RmMemoryMoves *m, MlirValue a, MlirValue b) {
  a = rm_memory_base(m->uses, a);
  b = rm_memory_base(m->uses, b);
  bool owns_a = rm_map_or(m->owned, rm_map_pointer(a.ptr), -1) >= 0;
  bool owns_b = rm_map_or(m->owned, rm_map_pointer(b.ptr), -1) >= 0;
  bool are_apart = (owns_a && (owns_b || is_argument_or_global(b))) ||
                   (owns_b && is_argument_or_global(a));
  return mlirValueEqual(a, b) || !are_apart;
}

static bool is_in_the_way(const RmMemoryMoves *m, MlirOperation op,
                          MlirOperation other) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(other); ++k) {
      MlirValue a = mlirOperationGetOperand(op, i);
      MlirValue b = mlirOperationGetOperand(other, k);
      if (is_memref(a) && is_memref(b) && (writes(op, i) || writes(other, k)) &&
          may_share(m, a, b))
        return true;
    }
  return false;
}

static bool touches_nothing(const RmMemoryMoves *m, MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return false;
  RmMemoryUse use = rm_memory_use(m->uses, op);
  return use == RM_USE_VIEWS || use == RM_USE_ALLOCATES ||
         use == RM_USE_FREES || rm_op_name_begins(op, "arith.") ||
         rm_op_name_begins(op, "math.") || rm_op_is(op, "memref.get_global") ||
         rm_op_is(op, "affine.apply");
}

/*===-- Running earlier ---------------------------------------------------===*/

typedef struct Captured {
  MlirOperation op, place;
  bool are_before;
} Captured;

static MlirWalkResult look_at_captured(MlirOperation inner, void *user) {
  Captured *captured = user;
  if (!mlirOperationEqual(inner, captured->op))
    captured->are_before &= are_operands_before(inner, 0, captured->place);
  return captured->are_before ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool has_all_before(const RmMemoryMoves *m, MlirOperation op,
                           MlirOperation place) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!rm_moves_can_make(m, mlirOperationGetOperand(op, i), place))
      return false;
  Captured captured = {op, place, true};
  mlirOperationWalk(op, look_at_captured, &captured, MlirWalkPreOrder);
  return captured.are_before;
}

static bool is_among(MlirOperation op, const MlirOperation *ops, int count) {
  for (int i = 0; i < count; ++i)
    if (mlirOperationEqual(ops[i], op))
      return true;
  return false;
}

bool rm_moves_can_run(const RmMemoryMoves *m, MlirOperation op,
                      MlirOperation place, const MlirOperation *earlier,
                      int num_earlier) {
  if (mlirOperationEqual(op, place) ||
      !mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(place)))
    return false;
  if (mlirOperationIsBeforeInBlock(op, place))
    return true;
  if (!is_plain(op) || !has_all_before(m, op, place))
    return false;
  int between = 0;
  for (MlirOperation other = place; !mlirOperationEqual(other, op);
       other = mlirOperationGetNextInBlock(other)) {
    if (++between > MOST_BETWEEN)
      return false;
    if (is_among(other, earlier, num_earlier) || touches_nothing(m, other))
      continue;
    if (!is_plain(other) || is_in_the_way(m, op, other))
      return false;
  }
  return true;
}

void rm_moves_run(MlirOperation op, MlirOperation place) {
  if (mlirOperationIsBeforeInBlock(op, place))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    rm_moves_make(mlirOperationGetOperand(op, i), place);
  move_before(op, place);
}
