/* lib/plan/segments.c - the strategies that cut the forward into segments.
 *
 * Only what crosses from one segment to the next is saved; the backward runs
 * the ops of a segment again when it first needs them (Chen et al. 2016, with
 * lengths counted in ops). keep-all saves everything, recompute-all nothing. */
#include "plan/strategy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Replay {
  const RmGraph *graph;
  const uint8_t *backward, *saved;
  RmPool *pool;
  bool *again;     /* by op: run again already */
  RmIntVec needed; /* forward ops to run before the step at hand */
  int32_t *steps, count;
} Replay;

/* Collects the forward ops that must run again before `op` can; the list is its
 * own work list. */
static void need_inputs(Replay *r, int32_t op) {
  for (int32_t i = 0; i < r->graph->ops.items[op].num_inputs; ++i) {
    int32_t maker = r->graph->values.items[rm_op_inputs(r->graph, op)[i]].op;
    if (maker < 0 || r->backward[maker] || r->saved[maker] || r->again[maker] ||
        !r->graph->ops.items[maker].recomputable)
      continue;
    r->again[maker] = true;
    rm_vec_push(r->pool, &r->needed, maker);
  }
}

static int by_number(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void replay_for(Replay *r, int32_t op) {
  r->needed.count = 0;
  need_inputs(r, op);
  for (size_t i = 0; i < r->needed.count; ++i)
    need_inputs(r, r->needed.items[i]);
  if (r->needed.count)
    qsort(r->needed.items, r->needed.count, sizeof(int32_t), by_number);
  for (size_t i = 0; i < r->needed.count; ++i)
    r->steps[r->count++] = r->needed.items[i];
}

/* Each op runs at most twice. */
RmSchedule rm_segment_schedule(const RmGraph *graph, const uint8_t *backward,
                               const uint8_t *saved, RmPool *pool) {
  int32_t ops = (int32_t)graph->ops.count;
  Replay r = {.graph = graph,
              .backward = backward,
              .saved = saved,
              .steps = RM_NEW_ARRAY(pool, int32_t, 2 * (size_t)ops),
              .pool = rm_pool_branch(pool)};
  r.again = RM_NEW_ARRAY(r.pool, bool, ops);
  for (int32_t op = 0; op < ops; ++op) {
    if (backward[op])
      replay_for(&r, op);
    r.steps[r.count++] = op;
  }
  rm_pool_destroy(r.pool);
  return (RmSchedule){r.steps, r.count};
}

/* Saves what a later segment of the forward reads. */
static void save_crossing(const RmGraph *graph, const uint8_t *backward,
                          int32_t length, uint8_t *saved) {
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op) {
    if (backward[op])
      continue;
    for (int32_t i = 0; i < graph->ops.items[op].num_inputs; ++i) {
      int32_t maker = graph->values.items[rm_op_inputs(graph, op)[i]].op;
      if (maker >= 0 && maker / length != op / length)
        saved[maker] = 1;
    }
  }
}

static int32_t count_forward(const RmGraph *graph, const uint8_t *backward) {
  int32_t count = 0;
  for (size_t op = 0; op < graph->ops.count; ++op)
    count += !backward[op];
  return count;
}

/* Segments of `length` ops; 0: of the root of their number, below: one. */
static RmSchedule cut_every(const RmProblem *problem, int32_t length,
                            RmPool *pool) {
  const RmGraph *graph = problem->graph;
  RmPool *scratch = rm_pool_branch(pool);
  const uint8_t *backward = rm_border_find(graph, problem->options, scratch);
  uint8_t *saved = RM_NEW_ARRAY(scratch, uint8_t, graph->ops.count);
  if (length == 0)
    length = (int32_t)ceil(sqrt((double)count_forward(graph, backward)));
  if (length > 0)
    save_crossing(graph, backward, length, saved);
  RmSchedule made = rm_segment_schedule(graph, backward, saved, pool);
  rm_pool_destroy(scratch);
  return made;
}

RmSchedule rm_strategy_keep_all(const RmProblem *problem, RmPool *pool) {
  return rm_schedule_identity(problem->graph, pool);
}

RmSchedule rm_strategy_recompute_all(const RmProblem *problem, RmPool *pool) {
  return cut_every(problem, -1, pool);
}

RmSchedule rm_strategy_every_n(const RmProblem *problem, RmPool *pool) {
  int32_t n = problem->options->n;
  return cut_every(problem, n > 0 ? n : 1, pool);
}

RmSchedule rm_strategy_sqrt_n(const RmProblem *problem, RmPool *pool) {
  return cut_every(problem, 0, pool);
}
