/* lib/ir/build.h - makes the few ops that a plan adds to a program. The caller
 * owns what it gets and puts it into a block. */
#ifndef RM_IR_BUILD_H
#define RM_IR_BUILD_H

#include "support/pool.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

bool rm_op_is_named(MlirOperation op, const char *name);

/* remat.recompute, or what it is lowered to for other compilers. */
bool rm_op_is_fence(MlirOperation op);

MlirOperation rm_build_checkpoint(MlirValue value, MlirLocation where);

/* The first `num_from` operands are what the region starts from, the other
 * `num_after` what it waits for. */
MlirOperation rm_build_recompute(const MlirValue *operands, int num_from,
                                 int num_after, MlirLocation where,
                                 RmPool *pool);

/* An op `name` with a result for each operand, of its type. Null if `name` is of
 * a dialect that the context neither has nor allows to be missing. */
MlirOperation rm_build_identity(const char *name, const MlirValue *operands,
                                int count, MlirLocation where, RmPool *pool);

/* tensor.empty of a static type. */
MlirOperation rm_build_empty(MlirType type, MlirLocation where);

/* `where`, marked as the place of something computed again. */
MlirLocation rm_location_again(MlirLocation where);

#endif
