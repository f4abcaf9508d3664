/* lib/ir/ir.h - a function's block as a graph, and a schedule back into it.
 *
 * One graph op stands for a group of IR ops: a root, and what exists only to
 * shape or start its results (its own tensor.empty and linalg.fill, a chain of
 * inserts into one destination). A group moves and is cloned whole. Values that
 * stay inside a group have no number. Constants and the terminator are no graph
 * ops; what is read of constants is left out of the graph. */
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
  RmGroup *groups;   /* by graph op */
  MlirValue *values; /* by graph value */
  RmMap numbers;     /* MlirValue.ptr to graph value */
} RmIr;

typedef struct RmIrOptions {
  RmFit fit;        /* RM_FIT_ARENA or RM_FIT_LIVE: what counts as a view */
  bool count_total; /* budget-scope=total: arguments, constants, results */
  bool recompute_collectives;
  int64_t min_size;   /* values below are kept */
  const char *models; /* file of extra op models, or "" */
} RmIrOptions;

/* Reads the only block of `function` (func.func). Null, after a diagnostic,
 * if it cannot be planned: no body, several blocks, a dynamic shape. Ops that
 * nobody knows are named in one remark each kind. */
RmIr *rm_ir_read(MlirOperation function, const RmIrOptions *options,
                 RmPool *pool);

/* Rewrites the block so that it runs `schedule`. Clones, fences and
 * checkpoints as the design says. The schedule must be verified. */
typedef struct RmRewrite {
  int32_t clones, fences, checkpoints;
} RmRewrite;
RmRewrite rm_ir_write(RmIr *ir, const RmSchedule *schedule);

#endif
