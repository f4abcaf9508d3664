/* lib/plan/border.c - where the forward ends and the backward begins.
 *
 * Activations pile up until the loss and are let go after it, so the border is
 * the place between two ops that the most bytes cross. */
#include "plan/strategy.h"

/* By op: the bytes of storages made up to it and read after it, through views.
 */
static int64_t *count_crossing(const RmGraph *graph, RmPool *pool) {
  int32_t count = (int32_t)graph->ops.count;
  int32_t *last = RM_NEW_ARRAY(pool, int32_t, graph->values.count);
  int64_t *crossing = RM_NEW_ARRAY(pool, int64_t, count + 1);
  for (int32_t op = 0; op < count; ++op)
    for (int32_t i = 0; i < graph->ops.items[op].num_inputs; ++i)
      last[rm_graph_storage(graph, rm_op_inputs(graph, op)[i])] = op;
  for (size_t v = 0; v < graph->values.count; ++v) {
    const RmValue *value = &graph->values.items[v];
    if (value->op < 0 || value->alias >= 0 || !value->counted ||
        last[v] <= value->op)
      continue;
    crossing[value->op] += value->bytes;
    crossing[last[v]] -= value->bytes;
  }
  for (int32_t op = 1; op < count; ++op)
    crossing[op] += crossing[op - 1];
  return crossing;
}

const uint8_t *rm_border_find(const RmGraph *graph,
                              const RmPlanOptions *options, RmPool *pool) {
  if (options->border)
    return options->border;
  int32_t count = (int32_t)graph->ops.count, border = 0;
  uint8_t *backward = RM_NEW_ARRAY(pool, uint8_t, count);
  RmPool *scratch = rm_pool_branch(pool);
  const int64_t *crossing = count_crossing(graph, scratch);
  for (int32_t op = 1; op < count; ++op)
    if (crossing[op] > crossing[border])
      border = op;
  for (int32_t op = border + 1; op < count; ++op)
    backward[op] = 1;
  rm_pool_destroy(scratch);
  return backward;
}
