/* lib/plan/moves.c - changes of a state that keep it sensible, and their undo.
 */
#include "plan/moves.h"

static void insert(RmTrail *trail, int32_t op, int32_t region) {
  RmMove move = {{op, region}, true};
  rm_state_insert(trail->state, op, region);
  rm_vec_push(trail->state->pool, &trail->moves, move);
}

static void take_out(RmTrail *trail, int32_t op, int32_t region) {
  RmMove move = {{op, region}, false};
  rm_state_remove(trail->state, op, region);
  rm_vec_push(trail->state->pool, &trail->moves, move);
}

void rm_trail_undo(RmTrail *trail, size_t mark) {
  while (trail->moves.count > mark) {
    RmMove move = trail->moves.items[--trail->moves.count];
    if (move.inserted)
      rm_state_remove(trail->state, move.rerun.op, move.rerun.region);
    else
      rm_state_insert(trail->state, move.rerun.op, move.rerun.region);
  }
}

/* The region of the latest run of `op` up to `region`. */
static int32_t latest_run(const RmState *s, int32_t op, int32_t region) {
  const RmRegions *runs = &s->makes[op];
  int32_t i = runs->count;
  while (i > 1 && runs->at[i - 1] > region)
    --i;
  return runs->at[i - 1];
}

/* Takes out the run of `op` that readers in `region` see, if it is a rerun
 * without readers; then looks at what that one read. */
static void take_out_useless(RmTrail *trail, int32_t op, int32_t region) {
  RmState *s = trail->state;
  int32_t at = latest_run(s, op, region);
  if (at == op || !rm_state_is_useless(s, op, at))
    return;
  take_out(trail, op, at);
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t maker = s->graph->values.items[rm_op_inputs(s->graph, op)[i]].op;
    if (maker >= 0)
      take_out_useless(trail, maker, at);
  }
}

static bool may_run(const RmTrail *trail, int32_t op, int32_t region) {
  const RmState *s = trail->state;
  if (op < 0 || region <= op || !s->graph->ops.items[op].recomputable ||
      rm_state_has(s, op, region))
    return false;
  return !trail->max_recompute || s->makes[op].count < trail->max_recompute;
}

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].counted && g->values.items[value].op >= 0;
}

/* Whether the only reason that `value` is alive up to `region` is a read
 * there; so many regions earlier it would be dead. */
static bool is_held_for(const RmState *s, int32_t value, int32_t region) {
  RmSpan span = rm_state_span(s, value, region);
  if (span.last != region || span.made >= region)
    return false;
  const RmRegions *reads = &s->reads[value];
  int32_t before = span.made;
  for (int32_t i = reads->count; i-- > 0;)
    if (reads->at[i] < region) {
      before = reads->at[i] > before ? reads->at[i] : before;
      break;
    }
  return before + 1 < region;
}

static void try_inputs(RmTrail *trail, int32_t op, int32_t region) {
  RmState *s = trail->state;
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_inputs && trail->trials > 0 && s->area;
       ++i) {
    int32_t value = rm_op_inputs(s->graph, op)[i];
    if (!weighs(s->graph, value) || !is_held_for(s, value, region))
      continue;
    size_t mark = trail->moves.count;
    double held = rm_trail_worth(trail);
    --trail->trials;
    if (rm_move_recompute(trail, s->graph->values.items[value].op, region) &&
        rm_trail_worth(trail) >= held)
      rm_trail_undo(trail, mark);
  }
}

bool rm_move_recompute(RmTrail *trail, int32_t op, int32_t region) {
  if (!may_run(trail, op, region))
    return false;
  int32_t before = latest_run(trail->state, op, region);
  insert(trail, op, region);
  if (before != op)
    take_out_useless(trail, op, region - 1);
  try_inputs(trail, op, region);
  return true;
}

void rm_move_keep(RmTrail *trail, int32_t op, int32_t region) {
  RmState *s = trail->state;
  take_out(trail, op, region);
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t maker = s->graph->values.items[rm_op_inputs(s->graph, op)[i]].op;
    if (maker >= 0)
      take_out_useless(trail, maker, region);
  }
}
