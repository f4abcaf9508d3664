/* lib/plan/chain-stages.c - finding the stages of a chain, and their sizes.
 *
 * A stage ends where a single value that the plan may let go crosses to the
 * rest of the forward. An op of the backward belongs to the latest stage whose
 * values it reads, but to none later than the op before it. A value that is
 * read elsewhere than chains allow is held always; then all is looked at once
 * more, until nothing changes. */
#include "plan/chain.h"

#include <string.h>

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

static void find_last_reads(RmChain *c) {
  const RmGraph *g = c->graph;
  c->last = RM_NEW_ARRAY(c->pool, int32_t, g->values.count);
  for (size_t v = 0; v < g->values.count; ++v)
    c->last[v] = g->values.items[v].op;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      c->last[rm_op_inputs(g, op)[i]] = op;
}

static void free_what_may_run_again(RmChain *c) {
  const RmGraph *g = c->graph;
  c->free = RM_NEW_ARRAY(c->pool, uint8_t, g->values.count);
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v)
    c->free[v] = weighs(g, v) && g->values.items[v].op < c->border &&
                 g->ops.items[g->values.items[v].op].recomputable;
}

/*===-- Stages ------------------------------------------------------------===*/

/* By value: the last op of the forward that reads it, or its own. */
static int32_t *find_forward_reads(const RmChain *c) {
  const RmGraph *g = c->graph;
  int32_t *last = RM_NEW_ARRAY(c->pool, int32_t, g->values.count);
  for (size_t v = 0; v < g->values.count; ++v)
    last[v] = g->values.items[v].op;
  for (int32_t op = 0; op < c->border; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      last[rm_op_inputs(g, op)[i]] = op;
  return last;
}

/* By op: how many free values cross from it to later ones of the forward. */
static int32_t *count_crossing(const RmChain *c, const int32_t *last) {
  int32_t *crossing = RM_NEW_ARRAY(c->pool, int32_t, c->border + 1);
  for (size_t v = 0; v < c->graph->values.count; ++v) {
    int32_t op = c->graph->values.items[v].op;
    if (!c->free[v] || last[v] == op)
      continue;
    ++crossing[op];
    --crossing[last[v]];
  }
  for (int32_t op = 1; op < c->border; ++op)
    crossing[op] += crossing[op - 1];
  return crossing;
}

/* The value that crosses from the stage first..op, -1 if none does, -2 if it
 * is no output of this stage. */
static int32_t find_output(const RmChain *c, const int32_t *last, int32_t first,
                           int32_t op) {
  for (int32_t u = op; u >= first; --u) {
    const RmOp *info = &c->graph->ops.items[u];
    for (int32_t v = info->first_result;
         v < info->first_result + info->num_results; ++v)
      if (c->free[v] && last[v] > op)
        return v;
  }
  return -2;
}

static int64_t free_bytes(const RmChain *c, int32_t op) {
  const RmOp *info = &c->graph->ops.items[op];
  int64_t bytes = 0;
  for (int32_t v = info->first_result;
       v < info->first_result + info->num_results; ++v)
    bytes += c->free[v] ? c->graph->values.items[v].bytes : 0;
  return bytes;
}

static void end_stage(RmChain *c, int32_t first, int32_t end, int32_t output) {
  c->stages[c->count] = (RmStage){.first = first, .end = end, .output = output};
  for (int32_t op = first; op < end; ++op)
    c->stage_of[op] = c->count;
  ++c->count;
}

/* Stages of at least `least` bytes. */
static void cut_stages(RmChain *c, int64_t least) {
  const int32_t *last = find_forward_reads(c);
  const int32_t *crossing = count_crossing(c, last);
  int32_t first = 0;
  int64_t bytes = 0;
  c->count = 0;
  for (int32_t op = 0; op < c->border; ++op) {
    bytes += free_bytes(c, op);
    if (op + 1 == c->border) {
      end_stage(c, first, c->border, -1);
      break;
    }
    if (crossing[op] > 1 || bytes < least)
      continue;
    int32_t output = crossing[op] ? find_output(c, last, first, op) : -1;
    if (output == -2)
      continue;
    end_stage(c, first, op + 1, output);
    first = op + 1;
    bytes = 0;
  }
}

/* Ops of the backward, and whether a value was found that is read where it may
 * not be; it is free no longer. */
static bool assign_backward(RmChain *c) {
  const RmGraph *g = c->graph;
  int32_t now = c->count - 1;
  bool changed = false;
  for (int32_t op = c->border; op < (int32_t)g->ops.count; ++op) {
    int32_t latest = -1;
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      if (c->free[v] && c->stage_of[g->values.items[v].op] > latest)
        latest = c->stage_of[g->values.items[v].op];
    }
    if (latest >= 0 && latest < now)
      now = latest;
    c->stage_of[op] = now;
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      if (!c->free[v] || c->stage_of[g->values.items[v].op] == now ||
          (now && c->stages[now - 1].output == v))
        continue;
      c->free[v] = 0;
      changed = true;
    }
  }
  return changed;
}

/*===-- Sizes -------------------------------------------------------------===*/

/* By op: bytes of what is held anyway at its step, or, one place later, over
 * the border after it. */
typedef struct Held {
  int64_t *at, *before;
} Held;

static Held count_held(const RmChain *c) {
  int32_t ops = (int32_t)c->graph->ops.count;
  Held held = {RM_NEW_ARRAY(c->pool, int64_t, ops + 1),
               RM_NEW_ARRAY(c->pool, int64_t, ops + 1)};
  for (int32_t v = 0; v < (int32_t)c->graph->values.count; ++v) {
    const RmValue *value = &c->graph->values.items[v];
    if (!weighs(c->graph, v) || c->free[v])
      continue;
    held.at[value->op] += value->bytes;
    held.at[c->last[v] + 1] -= value->bytes;
    held.before[value->op + 1] += value->bytes;
    held.before[c->last[v] + 1] -= value->bytes;
  }
  for (int32_t op = 1; op <= ops; ++op) {
    held.at[op] += held.at[op - 1];
    held.before[op] += held.before[op - 1];
  }
  return held;
}

static void find_tapes(RmChain *c) {
  const RmGraph *g = c->graph;
  c->taped = RM_NEW_ARRAY(c->pool, uint8_t, g->values.count);
  for (int32_t op = c->border; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      if (!c->free[v])
        continue;
      RmStage *stage = &c->stages[c->stage_of[op]];
      if (c->stage_of[g->values.items[v].op] != c->stage_of[op]) {
        stage->reads_input = true;
        continue;
      }
      stage->has_tape = true;
      stage->tapes_output |= v == stage->output;
      stage->tape_bytes += c->taped[v] ? 0 : g->values.items[v].bytes;
      c->taped[v] = 1;
    }
}

static bool is_wanted(const RmChain *c, int32_t k, int purpose, int32_t v) {
  return (purpose != RM_FOR_OUTPUT && c->taped[v]) ||
         (purpose != RM_FOR_TAPE && v == c->stages[k].output);
}

static int32_t first_value(const RmChain *c, int32_t k) {
  return c->graph->ops.items[c->stages[k].first].first_result;
}

static int32_t end_value(const RmChain *c, int32_t k) {
  const RmOp *last = &c->graph->ops.items[c->stages[k].end - 1];
  return last->first_result + last->num_results;
}

/* `needed` by value of the stage. */
static bool makes_wanted(const RmChain *c, int32_t k, int purpose, int32_t op,
                         const uint8_t *needed) {
  const RmOp *info = &c->graph->ops.items[op];
  for (int32_t v = info->first_result;
       v < info->first_result + info->num_results; ++v)
    if (c->free[v] &&
        (is_wanted(c, k, purpose, v) || needed[v - first_value(c, k)]))
      return true;
  return false;
}

static void turn_round(RmIntVec *ops) {
  for (size_t i = 0; 2 * i + 1 < ops->count; ++i) {
    int32_t op = ops->items[i];
    ops->items[i] = ops->items[ops->count - 1 - i];
    ops->items[ops->count - 1 - i] = op;
  }
}

RmIntVec rm_chain_replay(const RmChain *c, int32_t k, int purpose) {
  const RmGraph *g = c->graph;
  int32_t base = first_value(c, k);
  uint8_t *needed = RM_NEW_ARRAY(c->pool, uint8_t, end_value(c, k) - base + 1);
  RmIntVec ops = {0};
  for (int32_t op = c->stages[k].end - 1; op >= c->stages[k].first; --op) {
    if (!makes_wanted(c, k, purpose, op, needed))
      continue;
    rm_vec_push(c->pool, &ops, op);
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      if (c->free[v] && v >= base)
        needed[v - base] = 1;
    }
  }
  turn_round(&ops);
  return ops;
}

/* Scratch of a walk over the ops of a run: what is alive. */
typedef struct Walk {
  const RmChain *chain;
  int32_t k;
  int purpose;
  bool holds_input;
  int32_t *last; /* by value: place in the list of its last read */
  int64_t live;
} Walk;

static int64_t input_bytes(const RmChain *c, int32_t k) {
  return k ? c->stages[k - 1].output_bytes : 0;
}

static bool stays(const Walk *w, int32_t v) {
  const RmChain *c = w->chain;
  if (c->stage_of[c->graph->values.items[v].op] != w->k)
    return w->holds_input;
  return is_wanted(c, w->k, w->purpose, v);
}

static void mark_reads(Walk *w, const RmIntVec *ops) {
  const RmGraph *g = w->chain->graph;
  for (int32_t at = 0; at < (int32_t)ops->count; ++at) {
    const RmOp *info = &g->ops.items[ops->items[at]];
    for (int32_t i = 0; i < info->num_results; ++i)
      w->last[info->first_result + i] = at;
    for (int32_t i = 0; i < info->num_inputs; ++i)
      w->last[rm_op_inputs(g, ops->items[at])[i]] = at;
  }
}

static void let_go(Walk *w, int32_t v, int32_t at) {
  if (w->chain->free[v] && w->last[v] == at && !stays(w, v))
    w->live -= w->chain->graph->values.items[v].bytes;
}

/* Bytes at the fullest step; `held` by op, or null: none. */
static int64_t walk(Walk *w, const RmIntVec *ops, const int64_t *held) {
  const RmGraph *g = w->chain->graph;
  int64_t most = 0;
  w->live = input_bytes(w->chain, w->k);
  mark_reads(w, ops);
  for (int32_t at = 0; at < (int32_t)ops->count; ++at) {
    int32_t op = ops->items[at];
    const RmOp *info = &g->ops.items[op];
    w->live += free_bytes(w->chain, op);
    int64_t here = w->live + info->workspace + (held ? held[op] : 0);
    most = here > most ? here : most;
    for (int32_t i = 0; i < info->num_inputs; ++i)
      let_go(w, rm_op_inputs(g, op)[i], at);
    for (int32_t v = info->first_result;
         v < info->first_result + info->num_results; ++v)
      let_go(w, v, at);
  }
  return most;
}

static void size_run(RmChain *c, int32_t k, int purpose, const Held *held,
                     int32_t *scratch) {
  RmStage *stage = &c->stages[k];
  RmStageRun *run = &stage->runs[purpose];
  RmIntVec again = rm_chain_replay(c, k, purpose), all = {0};
  for (int32_t op = stage->first; op < stage->end; ++op) {
    rm_vec_push(c->pool, &all, op);
    run->first_cost += c->graph->ops.items[op].cost;
  }
  for (size_t i = 0; i < again.count; ++i)
    run->cost += c->graph->ops.items[again.items[i]].cost;
  for (int holds = 0; holds < 2; ++holds) {
    Walk w = {c, k, purpose, holds, scratch, 0};
    run->peak[holds] = walk(&w, &again, NULL);
    run->first_peak[holds] = walk(&w, &all, held->at);
  }
}

/* Tape and input that `op` of the backward of stage k finds. */
static int64_t found_bytes(const RmChain *c, int32_t k, int32_t op,
                           bool holds_input) {
  const RmStage *stage = &c->stages[k];
  int64_t bytes = 0;
  for (int32_t v = first_value(c, k); v < end_value(c, k); ++v)
    if (c->taped[v] && c->last[v] >= op)
      bytes += c->graph->values.items[v].bytes;
  int32_t input = k ? c->stages[k - 1].output : -1;
  if (input < 0 ||
      !(holds_input ||
        (stage->reads_input && (c->taped[input] || c->last[input] >= op))))
    return bytes;
  return bytes + c->graph->values.items[input].bytes;
}

static void size_backward(RmChain *c, const Held *held) {
  int32_t ops = (int32_t)c->graph->ops.count, next = ops;
  int32_t k = 0;
  for (int32_t op = ops - 1; op >= c->border; --op) {
    for (; k < c->stage_of[op]; ++k)
      c->stages[k].held = held->before[next];
    RmStage *stage = &c->stages[k];
    next = op;
    for (int holds = 0; holds < 2; ++holds) {
      int64_t here = found_bytes(c, k, op, holds) + held->at[op] +
                     c->graph->ops.items[op].workspace;
      stage->back[holds] =
          here > stage->back[holds] ? here : stage->back[holds];
    }
  }
  for (; k < c->count; ++k)
    c->stages[k].held = held->before[next];
}

static void size_stages(RmChain *c) {
  const RmGraph *g = c->graph;
  for (int32_t k = 0; k < c->count; ++k)
    if (c->stages[k].output >= 0)
      c->stages[k].output_bytes = g->values.items[c->stages[k].output].bytes;
  find_tapes(c);
  Held held = count_held(c);
  int32_t *scratch = RM_NEW_ARRAY(c->pool, int32_t, g->values.count);
  for (int32_t k = 0; k < c->count; ++k)
    for (int purpose = 0; purpose < RM_NUM_RUNS; ++purpose)
      size_run(c, k, purpose, &held, scratch);
  size_backward(c, &held);
}

/* Stages grow until they are no more than `most`. */
static void find_stages(RmChain *c, int32_t most) {
  int64_t all = 0, least = 0;
  for (int32_t op = 0; op < c->border; ++op)
    all += free_bytes(c, op);
  do {
    cut_stages(c, least);
    if (c->count > most)
      least = least ? least + least / 4 + 1 : all / most + 1;
  } while (c->count > most || assign_backward(c));
}

RmChain rm_chain_find(const RmGraph *graph, int32_t border, int32_t most_stages,
                      RmPool *pool) {
  RmChain c = {.graph = graph, .pool = pool, .border = border};
  c.stages = RM_NEW_ARRAY(pool, RmStage, border + 1);
  c.stage_of = RM_NEW_ARRAY(pool, int32_t, graph->ops.count);
  find_last_reads(&c);
  free_what_may_run_again(&c);
  if (border > 0)
    find_stages(&c, most_stages);
  if (c.count > 1)
    size_stages(&c);
  return c;
}
