/* lib/ir/ir.h - a function's block as a graph, and a schedule back into it.
 *
 * One graph op stands for a group of IR ops: a root, and what exists only to
 * shape or start its results. A group moves and is cloned whole. Values that
 * stay inside a group have no number. What a group holds besides its root:
 *
 * - inits: each tensor.empty and (for an arena) each linalg.fill of a constant
 *   that an op of the group starts its result from. One init may stand in
 *   several groups, and may even be the root of one of its own if something
 *   else reads it as well: each group then gets a copy of its own, made right
 *   before its first reader in the group.
 * - members: pure ops with one result, whose only use is to start the result of
 *   a later op of the group: a chain of inserts into one destination. A member
 *   stands in one group. It is moved down to the root, so it joins only if all
 *   it reads lives until the root anyway, or if no other op stands between.
 *
 * In no group, hence no graph op: constants (who reorders puts them first), the
 * terminator. What is read of
 * constants is left out of the graph, and for an arena so is an operand that
 * only shapes its op's result (rm_model_shape_only and rm_model_starts_result)
 * and is not made in the group: who clones or moves the op gives it a
 * tensor.empty of that type instead. Views of constants own 0 bytes. */
#ifndef RM_IR_IR_H
#define RM_IR_IR_H

#include "graph/graph.h"
#include "support/map.h"

#include "mlir-c/IR.h"

/* How values are laid out by what lowers the program (design: two measures). */
typedef enum RmFit { RM_FIT_AUTO, RM_FIT_ARENA, RM_FIT_LIVE } RmFit;

typedef struct RmGroup {
  MlirOperation *ops; /* in block order; the last is the root */
  int32_t count;
} RmGroup;

typedef struct RmIr {
  RmPool *pool;
  MlirOperation function;
  MlirBlock block;
  RmGraph *graph;
  RmGroup *groups;        /* by graph op */
  MlirValue *values;      /* by graph value */
  RmMap numbers;          /* MlirValue.ptr to graph value */
  int64_t constant_bytes; /* of all constants of the block */
} RmIr;

typedef struct RmIrOptions {
  RmFit fit;        /* RM_FIT_ARENA or RM_FIT_LIVE: what counts as a view */
  bool count_total; /* budget-scope=total: arguments, constants, results
                       must have static shapes too */
  bool recompute_collectives;
  int64_t min_size;   /* ops whose results are smaller in all are kept */
  const char *models; /* file of extra op models, or "" */
} RmIrOptions;

/* Reads the only block of `function` (func.func). Null, after a diagnostic,
 * if it cannot be planned: no body, several blocks, a dynamic shape. Ops that
 * nobody knows are named in one remark each kind. */
RmIr *rm_ir_read(MlirOperation function, const RmIrOptions *options,
                 RmPool *pool);

/* Bytes that are not counted: arguments, constants, returned storages. */
int64_t rm_ir_uncounted_bytes(const RmIr *ir);

/* Rewrites the block so that it runs `schedule`. Clones, fences and
 * checkpoints as the design says. The schedule must be verified. */
typedef struct RmRewrite {
  int32_t clones, fences, checkpoints;
} RmRewrite;
RmRewrite rm_ir_write(RmIr *ir, const RmSchedule *schedule);

#endif
