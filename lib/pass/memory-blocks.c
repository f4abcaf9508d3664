/* lib/pass/memory-blocks.c - the blocks of a region in an order of execution.
 *
 * A depth-first walk that keeps its own stack, so that a long chain of blocks
 * does no harm. */

#include "pass/memory-blocks.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"

typedef struct Visit {
  MlirBlock block;
  intptr_t next; /* successor */
} Visit;

typedef struct Walk {
  RmPool *pool;
  RmMap seen;
  RM_VEC(Visit) open;
  RM_VEC(MlirBlock) done;
} Walk;

static void enter(Walk *walk, MlirBlock block) {
  uint64_t key = rm_map_pointer(block.ptr);
  if (rm_map_or(&walk->seen, key, 0))
    return;
  rm_map_set(&walk->seen, key, 1);
  Visit visit = {block, 0};
  rm_vec_push(walk->pool, &walk->open, visit);
}

static void walk_from(Walk *walk, MlirBlock entry) {
  enter(walk, entry);
  while (walk->open.count) {
    Visit *top = &walk->open.items[walk->open.count - 1];
    if (top->next < mlirBlockGetNumSuccessors(top->block)) {
      enter(walk, mlirBlockGetSuccessor(top->block, top->next++));
      continue;
    }
    rm_vec_push(walk->pool, &walk->done, top->block);
    --walk->open.count;
  }
}

RmBlockOrder rm_block_order(MlirRegion region, RmPool *pool) {
  Walk walk = {.pool = pool, .seen = rm_map_create(pool)};
  RmBlockOrder order = {.numbers = rm_map_create(pool)};
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  if (!mlirBlockIsNull(entry))
    walk_from(&walk, entry);
  for (size_t i = walk.done.count; i--;) {
    rm_map_set(&order.numbers, rm_map_pointer(walk.done.items[i].ptr),
               (int64_t)order.blocks.count);
    rm_vec_push(pool, &order.blocks, walk.done.items[i]);
  }
  return order;
}

/*===-- Branches ----------------------------------------------------------===*/

bool rm_branch_is_known(MlirOperation terminator) {
  return !mlirOperationGetNumSuccessors(terminator) ||
         rm_op_is(terminator, "cf.br") || rm_op_is(terminator, "cf.cond_br") ||
         rm_op_is(terminator, "cf.switch");
}

static int32_t segment(MlirOperation op, const char *name, intptr_t i) {
  return mlirDenseI32ArrayGetElement(
      mlirOperationGetAttributeByName(op, rm_str(name)), i);
}

/* The first operand for successor `s`. */
static intptr_t first_operand(MlirOperation op, intptr_t s) {
  if (rm_op_is(op, "cf.br"))
    return 0;
  intptr_t first = 1 + (s ? segment(op, "operandSegmentSizes", 1) : 0);
  for (intptr_t k = 1; k < s; ++k)
    first += segment(op, "case_operand_segments", k - 1);
  return first;
}

MlirValue rm_branch_operand(MlirOperation terminator, intptr_t s, intptr_t i) {
  return mlirOperationGetOperand(terminator, first_operand(terminator, s) + i);
}
