/* lib/model/table.h - the rows that say what ops mean, a table for each
 * dialect.
 *
 * A row says only what holds for every op of that name; what hangs on operands,
 * attributes and regions is worked out in model.c, cost.c and inner.c from the
 * rules that a row names. Rows are sorted by name, byte by byte. */
#ifndef RM_MODEL_TABLE_H
#define RM_MODEL_TABLE_H

#include "model/model.h"

#include <stdint.h>

typedef enum RmTrait {
  RM_KEPT = 0, /* known to act on more than its results, or to draw */
  RM_PURE = 1, /* if all ops in its regions are */
  RM_COLLECTIVE = 2,
  RM_CONSTANT = 4,
  RM_IDENTITY = 8,
  RM_VIEW_LIVE = 16,  /* result 0 is a view of operand 0 for fit=live */
  RM_VIEW_ARENA = 32, /* the same for an arena */
  RM_VIEW = RM_VIEW_LIVE | RM_VIEW_ARENA,
  RM_INIT = 64,     /* tensor.empty, linalg.fill */
  RM_STARTS = 128,  /* result i starts from operand i */
  RM_CARRIES = 256, /* a loop: the same, not counting the bounds before them */
  RM_SCALARS = 512, /* its regions work on scalars, which take no room */
  RM_CALLS = 1024   /* runs the function that attribute callee names */
} RmTrait;

/* What the weight of a row multiplies to give floating point operations. */
typedef enum RmWork {
  RM_WORK_NONE,    /* it only moves bytes */
  RM_WORK_FREE,    /* not even those: cost 0 */
  RM_WORK_RESULT,  /* the elements of result 0 */
  RM_WORK_OPERAND, /* the elements of operand 0 */
  RM_WORK_LOOPS,   /* linalg: the iteration space, times its body's weight */
  RM_WORK_DOT,     /* dot products, by dot_dimension_numbers */
  RM_WORK_CONV,    /* by dimension_numbers */
  RM_WORK_WINDOW,  /* elements of result 0 times window_dimensions */
  RM_WORK_SORT,    /* elements of operand 0 times their logarithm */
  RM_WORK_LOOP,    /* what its regions cost, times the trips */
  RM_WORK_BRANCH   /* what its dearest region costs */
} RmWork;

/* What an op reads and writes in memory. */
typedef enum RmMoves {
  RM_MOVES_ALL,    /* operands and results */
  RM_MOVES_RESULT, /* what it writes, read from somewhere: slices, gathers */
  RM_MOVES_UPDATE, /* operand 1, read and written: inserts, scatters */
  RM_MOVES_WRITE   /* results only: fills, iotas */
} RmMoves;

typedef struct RmOpRow {
  const char *name; /* behind the dialect's */
  uint16_t traits;
  uint16_t work, weight;
  uint16_t moves;
  uint32_t shape_only; /* bit i: operand i matters only by its shape */
} RmOpRow;

typedef struct RmOpTable {
  const char *dialect;
  const RmOpRow *rows;
  int count;
} RmOpTable;

#define RM_OP_TABLE(dialect)                                                   \
  const RmOpTable rm_##dialect##_ops = {#dialect, rows,                        \
                                        (int)(sizeof rows / sizeof *rows)}

extern const RmOpTable rm_arith_ops, rm_bufferization_ops, rm_chlo_ops,
    rm_func_ops, rm_linalg_ops, rm_math_ops, rm_memref_ops, rm_remat_ops,
    rm_scf_ops, rm_stablehlo_ops, rm_tensor_ops, rm_util_ops;

/* All of them, sorted by dialect. */
extern const RmOpTable *const rm_op_tables[];
extern const int rm_num_op_tables;

/* Null if no table has the op. */
const RmOpRow *rm_op_row(MlirOperation op);

/* What a file says of an op, where it says something. */
typedef struct RmGiven {
  const char *name;
  bool has_recomputable, recomputable;
  int64_t cost, workspace; /* -1: not said */
  int32_t num_aliases;
  int32_t (*aliases)[2]; /* result, operand */
} RmGiven;

/* Null if no file names the op. */
const RmGiven *rm_op_given(MlirOperation op, const RmModels *models);

/* What `op` costs by its row (null: nobody knows the op). */
int64_t rm_op_cost(MlirOperation op, const RmOpRow *row, RmModels *models);

/* An integer attribute of whatever signedness; false for anything else, and for
 * what needs more than 64 bits. */
bool rm_read_integer(MlirAttribute attribute, int64_t *number);

/* What runs inside an op: its time, and the most it holds. */
typedef struct RmInner {
  int64_t cost, workspace; /* workspace -1: a dynamic shape inside */
} RmInner;

/* All regions of `op` once: cost of all for a loop, of the dearest for a
 * branch; workspace of the fullest. */
RmInner rm_op_inner(MlirOperation op, const RmOpRow *row, RmModels *models);

/*===-- Arithmetic that stops at INT64_MAX, of numbers from 0 -------------===*/

static inline int64_t rm_times(int64_t a, int64_t b) {
  return a && b > INT64_MAX / a ? INT64_MAX : a * b;
}

static inline int64_t rm_plus(int64_t a, int64_t b) {
  return b > INT64_MAX - a ? INT64_MAX : a + b;
}

#endif
