/* lib/pass/memory-blocks.h - the blocks of a region in an order of execution.
 */
#ifndef RM_PASS_MEMORY_BLOCKS_H
#define RM_PASS_MEMORY_BLOCKS_H

#include "support/map.h"
#include "support/vec.h"

#include "mlir-c/IR.h"

/* Reverse post-order: a block stands behind all that dominate it, and only
 * what closes a cycle branches back. Blocks that are never reached are not
 * among them. */
typedef struct RmBlockOrder {
  RM_VEC(MlirBlock) blocks;
  RmMap numbers; /* of blocks, by pointer */
} RmBlockOrder;

RmBlockOrder rm_block_order(MlirRegion region, RmPool *pool);

/* Whether it is known what values the terminator hands to its successors: it
 * has none, or is cf.br, cf.cond_br or cf.switch. */
bool rm_branch_is_known(MlirOperation terminator);

/* The value that argument `i` of successor `s` becomes. */
MlirValue rm_branch_operand(MlirOperation terminator, intptr_t s, intptr_t i);

#endif
