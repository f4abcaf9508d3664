/* lib/ir/compare.h - does a planned function still compute what it did?
 *
 * By value numbering of both functions, independent of what planned or wrote
 * them: checkpoints, fences and barriers stand for their operands, equal ops on
 * equal values make equal values. */
#ifndef RM_IR_COMPARE_H
#define RM_IR_COMPARE_H

#include "support/pool.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

typedef struct RmCompareOptions {
  bool recompute_collectives; /* they may run again */
  const char *models;         /* file of extra op models, or "" */
} RmCompareOptions;

/* True if `planned`
 * - returns the same values,
 * - runs each op that may not be recomputed once and in the same order,
 * - computes nothing that `original` does not,
 * - holds no clone that cse would merge with an equal op.
 * Else a diagnostic stands at the op that is wrong. Functions that do not
 * consist of one block each must be equal. */
bool rm_ir_compare(MlirOperation planned, MlirOperation original,
                   const RmCompareOptions *options, RmPool *pool);

/* True if the blocks of both functions hold the same ops on the same values, in
 * the same order, fences and all. Else a diagnostic stands at the first op of
 * `planned` that differs, with the note `meant` at what should stand there. */
bool rm_ir_same(MlirOperation planned, MlirOperation other, const char *meant,
                RmPool *pool);

#endif
