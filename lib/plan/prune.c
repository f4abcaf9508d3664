/* lib/plan/prune.c - runs again that nothing reads.
 *
 * One walk from the end: a value is wanted from its reader back to the run that
 * makes it. What a run taken out would have read is not wanted for it, so that
 * whole chains go at once. */
#include "plan/prune.h"

typedef struct Pruning {
  const RmGraph *graph;
  bool *wanted; /* by value: read later, before it is made again */
} Pruning;

static bool take_wanted(Pruning *p, const RmOp *op) {
  bool any = false;
  for (int32_t i = 0; i < op->num_results; ++i) {
    any |= p->wanted[op->first_result + i];
    p->wanted[op->first_result + i] = false;
  }
  return any;
}

static void want_inputs(Pruning *p, int32_t op) {
  for (int32_t i = 0; i < p->graph->ops.items[op].num_inputs; ++i)
    p->wanted[rm_op_inputs(p->graph, op)[i]] = true;
}

/* By step: whether it is the first run of its op. */
static bool *find_first_runs(const RmGraph *graph, const RmSchedule *schedule,
                             RmPool *pool) {
  bool *first = RM_NEW_ARRAY(pool, bool, schedule->count);
  bool *seen = RM_NEW_ARRAY(pool, bool, graph->ops.count);
  for (int32_t i = 0; i < schedule->count; ++i) {
    first[i] = !seen[schedule->steps[i]];
    seen[schedule->steps[i]] = true;
  }
  return first;
}

void rm_schedule_prune(const RmGraph *graph, RmSchedule *schedule,
                       RmPool *pool) {
  Pruning p = {graph, RM_NEW_ARRAY(pool, bool, graph->values.count)};
  bool *kept = find_first_runs(graph, schedule, pool);
  for (size_t v = 0; v < graph->values.count; ++v)
    p.wanted[v] = graph->values.items[v].returned;
  for (int32_t i = schedule->count; i-- > 0;) {
    int32_t op = schedule->steps[i];
    kept[i] |= take_wanted(&p, &graph->ops.items[op]);
    if (kept[i])
      want_inputs(&p, op);
  }
  int32_t count = 0;
  for (int32_t i = 0; i < schedule->count; ++i)
    if (kept[i])
      schedule->steps[count++] = schedule->steps[i];
  schedule->count = count;
}
