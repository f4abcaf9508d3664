/* lib/ir/same.c - do two functions hold the same ops on the same values?
 *
 * Both blocks are walked side by side; values are numbered in the order in
 * which they stand, so equal numbers are the same value. */
#include "ir/compare.h"
#include "ir/op-key.h"
#include "shim/shim.h"

typedef struct Side {
  RmMap numbers; /* MlirValue.ptr to its place among all */
  RmMap own;     /* for rm_op_key */
  int64_t count;
} Side;

static uint64_t number_of(void *context, MlirOperation reader, intptr_t i,
                          MlirValue value) {
  (void)reader, (void)i;
  Side *side = context;
  return (uint64_t)rm_map_or(&side->numbers, rm_map_pointer(value.ptr), -1);
}

static void add_value(Side *side, MlirValue value) {
  rm_map_set(&side->numbers, rm_map_pointer(value.ptr), side->count++);
}

static uint64_t enter(Side *side, MlirOperation op) {
  uint64_t key = rm_op_key(op, number_of, side, &side->own);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_value(side, mlirOperationGetResult(op, i));
  return key;
}

static Side create_side(MlirBlock block, RmPool *pool) {
  Side side = {.numbers = rm_map_create(pool), .own = rm_map_create(pool)};
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    add_value(&side, mlirBlockGetArgument(block, i));
  return side;
}

static MlirBlock body_of(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

bool rm_ir_same(MlirOperation planned, MlirOperation other, const char *meant,
                RmPool *pool) {
  MlirBlock block = body_of(planned), other_block = body_of(other);
  Side side = create_side(block, pool);
  Side other_side = create_side(other_block, pool);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  MlirOperation other_op = mlirBlockGetFirstOperation(other_block);
  while (!mlirOperationIsNull(op) && !mlirOperationIsNull(other_op) &&
         enter(&side, op) == enter(&other_side, other_op)) {
    op = mlirOperationGetNextInBlock(op);
    other_op = mlirOperationGetNextInBlock(other_op);
  }
  if (mlirOperationIsNull(op) && mlirOperationIsNull(other_op))
    return true;
  RmDiagnostic *diagnostic = rm_diagnostic_begin(
      RM_ERROR,
      mlirOperationGetLocation(mlirOperationIsNull(op) ? planned : op),
      "another op stands here than is meant");
  if (!mlirOperationIsNull(other_op))
    rm_diagnostic_note(diagnostic, mlirOperationGetLocation(other_op), meant);
  rm_diagnostic_end(diagnostic);
  return false;
}
