/* lib/ir/op-shapes.h - what cse would see of each group of a function. */
#ifndef RM_IR_OP_SHAPES_H
#define RM_IR_OP_SHAPES_H

#include "ir/fences.h"
#include "ir/ir.h"

/* By graph op. The block must be as it was read. */
RmOpShape *rm_ir_shapes(const RmIr *ir, RmPool *pool);

#endif
