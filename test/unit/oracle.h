/* test/unit/oracle.h - the best plan of a small graph, by trying all.
 *
 * Shortest paths over states (next op of the fixed order, values present). A
 * move runs the next op, or runs an earlier one again, or drops a value. */
#ifndef TEST_ORACLE_H
#define TEST_ORACLE_H

#include "graph/graph.h"

enum { ORACLE_MOST_VALUES = 14 };

typedef struct Oracle {
  const RmGraph *graph;
  int64_t budget;
  int64_t *best; /* by state: least cost so far, -1 if not reached */
  bool *settled;
} Oracle;

static inline bool is_held(const RmGraph *g, int32_t value) {
  const RmValue *v = &g->values.items[value];
  return v->op >= 0 && v->counted;
}

/* Present values as bits; what is not counted is present once made. */
static inline int64_t bytes_of_set(const RmGraph *g, uint32_t set) {
  int64_t bytes = 0;
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v)
    if (set >> v & 1 && is_held(g, v))
      bytes += g->values.items[v].bytes;
  return bytes;
}

static inline bool has_inputs(const RmGraph *g, int32_t op, uint32_t set) {
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t v = rm_op_inputs(g, op)[i];
    if (is_held(g, v) && !(set >> v & 1))
      return false;
  }
  return true;
}

static inline void reach(Oracle *o, int64_t state, int64_t cost) {
  if (o->best[state] < 0 || cost < o->best[state])
    o->best[state] = cost;
}

static inline void run_op(Oracle *o, int32_t next, uint32_t set, int32_t op,
                          int64_t cost, int values) {
  const RmOp *info = &o->graph->ops.items[op];
  if (!has_inputs(o->graph, op, set))
    return;
  uint32_t after = set;
  for (int32_t r = 0; r < info->num_results; ++r)
    if (is_held(o->graph, info->first_result + r))
      after |= 1u << (info->first_result + r);
  if (bytes_of_set(o->graph, after) + info->workspace > o->budget)
    return;
  reach(o, ((int64_t)(next + (op == next)) << values) | after,
        cost + info->cost);
}

static inline void settle(Oracle *o, int64_t state, int values) {
  int32_t next = (int32_t)(state >> values);
  uint32_t set = (uint32_t)(state & ((1 << values) - 1));
  int64_t cost = o->best[state];
  o->settled[state] = true;
  for (int v = 0; v < values; ++v)
    if (set >> v & 1)
      reach(o, state & ~(int64_t)(1u << v), cost);
  for (int32_t op = 0; op <= next && op < (int32_t)o->graph->ops.count; ++op)
    if (op == next || o->graph->ops.items[op].recomputable)
      run_op(o, next, set, op, cost, values);
}

/* The least cost within the budget, fixed order, any number of runs; -1 if no
 * plan exists. The graph has no views. */
static inline int64_t oracle_least_cost(const RmGraph *g, int64_t budget,
                                        RmPool *pool) {
  int values = (int)g->values.count;
  int64_t states = (int64_t)(g->ops.count + 1) << values;
  Oracle o = {g, budget, RM_NEW_ARRAY(pool, int64_t, states),
              RM_NEW_ARRAY(pool, bool, states)};
  for (int64_t s = 0; s < states; ++s)
    o.best[s] = -1;
  o.best[0] = 0;
  for (;;) {
    int64_t least = -1;
    for (int64_t s = 0; s < states; ++s)
      if (!o.settled[s] && o.best[s] >= 0 &&
          (least < 0 || o.best[s] < o.best[least]))
        least = s;
    if (least < 0)
      return -1;
    if (least >> values == (int64_t)g->ops.count)
      return o.best[least];
    settle(&o, least, values);
  }
}

#endif
