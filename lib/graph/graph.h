/* lib/graph/graph.h - a program as ops, values and the bytes they hold.
 *
 * Ops stand in program order, which respects every read. A value is a result
 * of one op, or an argument (op -1). A value either owns a storage of `bytes`
 * bytes or is a view: then `alias` names the input of its op whose storage it
 * shares, and it costs nothing. Storages that are not `counted` (arguments,
 * constants, what the function returns) are the caller's business.
 *
 * A schedule is a sequence of steps, each an op's number; an op may stand in it
 * many times. A step reads the latest instance of each input made before it.
 *
 * Counting rule: at each step results and workspace are allocated, the op runs,
 * then storages whose last use it was are freed. */
#ifndef RM_GRAPH_GRAPH_H
#define RM_GRAPH_GRAPH_H

#include "support/pool.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmOp {
  int64_t cost;                    /* predicted time of one run */
  int64_t workspace;               /* bytes it needs for itself while it runs */
  int32_t first_input, num_inputs; /* into RmGraph.inputs, each value once */
  int32_t first_result, num_results; /* values, consecutive */
  bool recomputable;                 /* may run more than once */
  bool movable; /* may leave its place in the order; implied by pure */
} RmOp;

typedef struct RmValue {
  int64_t bytes; /* of the storage it owns; 0 for a view */
  int32_t op;    /* that makes it; -1 for an argument */
  int32_t alias; /* the input whose storage it shares, or -1 */
  bool counted;  /* its storage counts against the budget */
  bool returned; /* it is read after the last step */
} RmValue;

typedef struct RmGraph {
  RmPool *pool;
  RM_VEC(RmOp) ops;
  RM_VEC(RmValue) values;
  RmIntVec inputs;
} RmGraph;

RmGraph *rm_graph_create(RmPool *pool);

/* Adds an argument; its number is returned. It is never counted. */
int32_t rm_graph_argument(RmGraph *graph, int64_t bytes);

/* Adds an op without results; inputs that occur twice are kept once. Its
 * number is returned. */
int32_t rm_graph_op(RmGraph *graph, int64_t cost, int64_t workspace,
                    const int32_t *inputs, int32_t num_inputs,
                    bool recomputable);

/* Adds a counted result of the op added last; its number is returned. */
int32_t rm_graph_result(RmGraph *graph, int64_t bytes);

/* Adds an op without views that is like `op` of `from` but reads `inputs`, and
 * its results, whose numbers go into `renamed`, by value of `from`. Its own
 * number is returned. */
int32_t rm_graph_copy_op(RmGraph *graph, const RmGraph *from, int32_t op,
                         const int32_t *inputs, int32_t num_inputs,
                         int32_t *renamed);

/* Adds a result of the op added last that shares the storage of `input`. */
int32_t rm_graph_view(RmGraph *graph, int32_t input);

/* The function returns `value`: the storage it shares is not counted. */
void rm_graph_return(RmGraph *graph, int32_t value);

/* The value that owns the storage of `value`. */
int32_t rm_graph_storage(const RmGraph *graph, int32_t value);

static inline const int32_t *rm_op_inputs(const RmGraph *g, int32_t op) {
  return g->inputs.count ? g->inputs.items + g->ops.items[op].first_input
                         : NULL;
}

typedef struct RmSchedule {
  int32_t *steps; /* op numbers */
  int32_t count;
} RmSchedule;

/* Every op once, in program order. */
RmSchedule rm_schedule_identity(const RmGraph *graph, RmPool *pool);

/* For what was made in a branch of `pool`. */
RmSchedule rm_schedule_copy(const RmSchedule *schedule, RmPool *pool);

typedef struct RmMeasure {
  int64_t peak;       /* live bytes at the fullest step */
  int32_t peak_step;  /* the first such step; -1 without steps */
  int64_t cost;       /* of all steps */
  int32_t recomputed; /* values owned by a storage and made more than once */
  int32_t extra;      /* steps beyond the first of each op */
} RmMeasure;

/* Recounts from nothing. The schedule must be valid. */
RmMeasure rm_schedule_measure(const RmGraph *graph, const RmSchedule *schedule,
                              RmPool *pool);

/* Live bytes (with workspace) at each step, `schedule->count` numbers. */
int64_t *rm_schedule_live(const RmGraph *graph, const RmSchedule *schedule,
                          RmPool *pool);

/* The counted values that own a storage alive at `step`, in the order of their
 * instances' making. */
RmIntVec rm_schedule_alive(const RmGraph *graph, const RmSchedule *schedule,
                           int32_t step, RmPool *pool);

/* Of each op once: what the program costs as it is. */
int64_t rm_graph_cost(const RmGraph *graph);

/* The same on every machine for graphs that are equal. */
uint64_t rm_graph_hash(const RmGraph *graph);

/* The verifier, independent of all planners: each op runs; those that are not
 * recomputable run once, those not movable in program order; each input exists
 * when it is read. Null if all is right, else what is wrong (in the pool). With
 * `fixed_order` the first runs of all ops but views follow program order. */
const char *rm_schedule_verify(const RmGraph *graph, const RmSchedule *schedule,
                               bool fixed_order, RmPool *pool);

#endif
