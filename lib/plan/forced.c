/* lib/plan/forced.c - values that must not be held over the border.
 *
 * Users mark values to be recomputed whatever the budget says. In any schedule,
 * the first step of the backward that reads such a value, or that reads it
 * after another such step made it stale, finds it made again right before. */
#include "plan/forced.h"

typedef struct Forcing {
  const RmGraph *graph;
  const uint8_t *forced;
  RmPool *pool;
  bool *fresh; /* by op: made since the border was passed */
  RmIntVec steps;
} Forcing;

static bool must_run(const Forcing *f, int32_t op) {
  return op >= 0 && f->forced[op] && !f->fresh[op] &&
         f->graph->ops.items[op].recomputable;
}

static int32_t stale_input(const Forcing *f, int32_t op) {
  for (int32_t i = 0; i < f->graph->ops.items[op].num_inputs; ++i) {
    int32_t maker = f->graph->values.items[rm_op_inputs(f->graph, op)[i]].op;
    if (must_run(f, maker))
      return maker;
  }
  return -1;
}

/* Chains of marked ops may be long, so the stack is our own. */
static void run_with_inputs(Forcing *f, int32_t op) {
  RmIntVec stack = {0};
  rm_vec_push(f->pool, &stack, op);
  while (stack.count) {
    int32_t top = stack.items[stack.count - 1], stale = stale_input(f, top);
    if (stale >= 0) {
      rm_vec_push(f->pool, &stack, stale);
      continue;
    }
    --stack.count;
    f->fresh[top] = true;
    rm_vec_push(f->pool, &f->steps, top);
  }
}

RmSchedule rm_force_recompute(const RmGraph *graph, const RmSchedule *schedule,
                              const uint8_t *forced, const uint8_t *backward,
                              RmPool *pool) {
  Forcing f = {
      graph, forced, pool, RM_NEW_ARRAY(pool, bool, graph->ops.count), {0}};
  bool passed = false;
  for (int32_t i = 0; i < schedule->count; ++i) {
    int32_t op = schedule->steps[i];
    passed |= backward[op] != 0;
    if (passed)
      run_with_inputs(&f, op);
    else
      rm_vec_push(pool, &f.steps, op);
  }
  return (RmSchedule){f.steps.items, (int32_t)f.steps.count};
}
