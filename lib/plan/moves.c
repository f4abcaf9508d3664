/* lib/plan/moves.c - changes of a state that keep it sensible, and their undo.
 */
#include "plan/moves.h"

#include <math.h>

static int32_t slot_of(const RmState *s, RmStep step) {
  return rm_state_slot(s, step.op, step.region);
}

static void insert(RmTrail *trail, int32_t op, RmStep before) {
  RmMove move = {{op, before.region}, before, true};
  rm_state_insert(trail->state, op, slot_of(trail->state, before));
  rm_vec_push(trail->state->pool, &trail->moves, move);
}

static void take_out(RmTrail *trail, int32_t slot) {
  RmState *s = trail->state;
  RmMove move = {rm_state_step(s, slot),
                 rm_state_step(s, rm_state_next_step(s, slot)), false};
  rm_state_remove(s, slot);
  rm_vec_push(s->pool, &trail->moves, move);
}

void rm_trail_undo(RmTrail *trail, size_t mark) {
  RmState *s = trail->state;
  while (trail->moves.count > mark) {
    RmMove move = trail->moves.items[--trail->moves.count];
    if (move.inserted)
      rm_state_remove(s, slot_of(s, move.rerun));
    else
      rm_state_insert(s, move.rerun.op, slot_of(s, move.before));
  }
}

void rm_trail_redo(RmTrail *trail, const RmMove *moves, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (moves[i].inserted)
      insert(trail, moves[i].rerun.op, moves[i].before);
    else
      take_out(trail, slot_of(trail->state, moves[i].rerun));
}

/* Takes out the run of `op` that is there after `slot`, if it is a rerun
 * without readers; then looks at what that one read. */
static void take_out_useless(RmTrail *trail, int32_t op, int32_t slot) {
  RmState *s = trail->state;
  int32_t at = rm_state_latest(s, op, slot);
  if (at == s->base[op] || !rm_state_is_useless(s, at))
    return;
  take_out(trail, at);
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t maker = s->graph->values.items[rm_op_inputs(s->graph, op)[i]].op;
    if (maker >= 0)
      take_out_useless(trail, maker, at);
  }
}

/* It may run later in the region already: then it moves. */
bool rm_move_is_allowed(const RmTrail *trail, int32_t op, RmStep before) {
  const RmState *s = trail->state;
  if (op < 0 || before.region <= op || !s->graph->ops.items[op].recomputable)
    return false;
  int32_t there = rm_state_slot(s, op, before.region);
  if (there >= 0)
    return there > slot_of(s, before);
  return !trail->max_recompute || s->makes[op].count < trail->max_recompute;
}

/* Whether some step stands between these slots. */
static bool has_step_between(const RmState *s, int32_t first, int32_t last) {
  for (int32_t slot = first + 1; slot < last; ++slot)
    if (s->op_at[slot] >= 0)
      return true;
  return false;
}

/* Whether the only reason that `value` is alive up to `slot` is a read there,
 * and it would be dead at some step before. */
static bool is_held_for(const RmState *s, int32_t value, int32_t slot) {
  RmSpan span = rm_state_span(s, value, slot);
  if (span.last != slot || span.made >= slot)
    return false;
  return has_step_between(s, rm_state_touched_before(s, value, slot), slot);
}

double rm_move_least_change(RmTrail *trail, int32_t op, RmStep before) {
  RmState *s = trail->state;
  RmTouched results = s->results[op];
  int32_t slot = slot_of(s, before), made = rm_state_latest(s, op, slot - 1);
  bool stays = made == s->base[op];
  if (rm_state_slot(s, op, before.region) >= 0) /* it only moves */
    return -INFINITY;
  int64_t relief = 0;
  for (int32_t i = 0; i < results.count; ++i) {
    int32_t value = s->values[results.first + i];
    int32_t last = rm_state_touched_before(s, value, slot);
    stays |= last > made;
    relief += rm_excess_relief(&s->excess, last + 1, slot - 1,
                               s->graph->values.items[value].bytes);
  }
  if (!stays) /* the run before goes, and perhaps its inputs' runs */
    return -INFINITY;
  return (double)s->graph->ops.items[op].cost - trail->price * (double)relief;
}

static void try_inputs(RmTrail *trail, RmStep run) {
  RmState *s = trail->state;
  RmTouched inputs = s->inputs[run.op];
  for (int32_t i = 0; i < inputs.count && trail->trials > 0 && rm_state_area(s);
       ++i) {
    int32_t value = s->values[inputs.first + i];
    int32_t maker = s->graph->values.items[value].op;
    if (!is_held_for(s, value, slot_of(s, run)) ||
        !rm_move_is_allowed(trail, maker, run) ||
        rm_move_least_change(trail, maker, run) >= 0)
      continue;
    size_t mark = trail->moves.count;
    double held = rm_trail_worth(trail);
    --trail->trials;
    rm_move_recompute(trail, maker, run);
    if (rm_trail_worth(trail) >= held)
      rm_trail_undo(trail, mark);
  }
}

bool rm_move_recompute(RmTrail *trail, int32_t op, RmStep before) {
  RmState *s = trail->state;
  RmStep run = {op, before.region};
  if (!rm_move_is_allowed(trail, op, before))
    return false;
  int32_t later = slot_of(s, run);
  if (later >= 0)
    take_out(trail, later);
  insert(trail, op, before);
  take_out_useless(trail, op, slot_of(s, run) - 1);
  try_inputs(trail, run);
  return true;
}

void rm_move_keep(RmTrail *trail, RmStep rerun) {
  RmState *s = trail->state;
  int32_t slot = slot_of(s, rerun);
  take_out(trail, slot);
  const RmOp *info = &s->graph->ops.items[rerun.op];
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t maker =
        s->graph->values.items[rm_op_inputs(s->graph, rerun.op)[i]].op;
    if (maker >= 0)
      take_out_useless(trail, maker, slot);
  }
}

/* The runs in the region of `run` that it reads, directly or not, and it, in
 * the order of their slots. */
static void list_chain(RmTrail *trail, RmStep run) {
  RmState *s = trail->state;
  RmIntVec *chain = &trail->chain;
  chain->count = 0;
  rm_vec_push(s->pool, chain, slot_of(s, run));
  for (size_t i = 0; i < chain->count; ++i) {
    RmTouched inputs = s->inputs[s->op_at[chain->items[i]]];
    for (int32_t k = 0; k < inputs.count; ++k) {
      int32_t value = s->values[inputs.first + k];
      int32_t made = rm_state_span(s, value, chain->items[i]).made;
      if (s->region_at[made] != run.region || s->op_at[made] == run.region)
        continue;
      size_t at = chain->count;
      while (at > 0 && chain->items[at - 1] != made)
        --at;
      if (at == 0)
        rm_vec_push(s->pool, chain, made);
    }
  }
  for (size_t i = 1; i < chain->count; ++i)
    for (size_t k = i; k > 0 && chain->items[k - 1] > chain->items[k]; --k) {
      int32_t slot = chain->items[k];
      chain->items[k] = chain->items[k - 1];
      chain->items[k - 1] = slot;
    }
}

bool rm_move_chain(RmTrail *trail, RmStep run, int32_t region) {
  RmState *s = trail->state;
  RmIntVec *chain = &trail->chain;
  RmStep before = {region, region};
  list_chain(trail, run);
  for (size_t i = 0; i < chain->count; ++i)
    chain->items[i] = s->op_at[chain->items[i]];
  for (size_t i = chain->count; i-- > 0;)
    take_out(trail, rm_state_slot(s, chain->items[i], run.region));
  int32_t trials = trail->trials;
  trail->trials = 0;
  for (size_t i = 0; i < chain->count; ++i)
    rm_move_recompute(trail, chain->items[i], before);
  trail->trials = trials;
  return chain->count > 0;
}
