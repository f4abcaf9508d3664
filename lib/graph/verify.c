/* lib/graph/verify.c - is this schedule a way to run this program?
 *
 * Independent of all planners and simple on purpose: it replays the steps and
 * checks each against the rules in graph.h. */
#include "graph/graph.h"

typedef struct Check {
  const RmGraph *graph;
  const RmSchedule *schedule;
  RmPool *pool;
  int32_t *runs;        /* by op, so far */
  int32_t last_unmoved; /* the latest op so far that keeps its place */
  int32_t last_first;   /* the latest op so far in its first run */
  bool fixed_order;
} Check;

static bool makes_bytes(const RmGraph *g, const RmOp *op) {
  for (int32_t i = 0; i < op->num_results; ++i)
    if (g->values.items[op->first_result + i].alias >= 0)
      return false;
  return true;
}

static const char *check_inputs(Check *check, int32_t step, int32_t op) {
  const RmGraph *g = check->graph;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(g, op)[i], maker = g->values.items[value].op;
    if (maker >= 0 && !check->runs[maker])
      return rm_pool_printf(check->pool,
                            "step %d: op %d reads value %d before op %d makes "
                            "it",
                            step, op, value, maker);
  }
  return NULL;
}

static const char *check_first_run(Check *check, int32_t step, int32_t op) {
  const RmOp *info = &check->graph->ops.items[op];
  if (!info->movable) {
    if (op < check->last_unmoved)
      return rm_pool_printf(check->pool,
                            "step %d: op %d runs after op %d, but neither may "
                            "leave its place",
                            step, op, check->last_unmoved);
    check->last_unmoved = op;
  }
  if (!check->fixed_order || !makes_bytes(check->graph, info))
    return NULL;
  if (op < check->last_first)
    return rm_pool_printf(check->pool,
                          "step %d: op %d first runs after op %d; the order is "
                          "fixed",
                          step, op, check->last_first);
  check->last_first = op;
  return NULL;
}

static const char *check_step(Check *check, int32_t step) {
  int32_t op = check->schedule->steps[step];
  if (op < 0 || op >= (int32_t)check->graph->ops.count)
    return rm_pool_printf(check->pool, "step %d: there is no op %d", step, op);
  const char *wrong = check_inputs(check, step, op);
  if (wrong)
    return wrong;
  if (check->runs[op]++ == 0)
    return check_first_run(check, step, op);
  if (!check->graph->ops.items[op].recomputable)
    return rm_pool_printf(check->pool, "step %d: op %d may not be recomputed",
                          step, op);
  return NULL;
}

const char *rm_schedule_verify(const RmGraph *graph, const RmSchedule *schedule,
                               bool fixed_order, RmPool *pool) {
  Check check = {.graph = graph,
                 .schedule = schedule,
                 .pool = pool,
                 .runs = RM_NEW_ARRAY(pool, int32_t, graph->ops.count),
                 .last_unmoved = -1,
                 .last_first = -1,
                 .fixed_order = fixed_order};
  for (int32_t step = 0; step < schedule->count; ++step) {
    const char *wrong = check_step(&check, step);
    if (wrong)
      return wrong;
  }
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op)
    if (!check.runs[op])
      return rm_pool_printf(pool, "op %d never runs", op);
  return NULL;
}
