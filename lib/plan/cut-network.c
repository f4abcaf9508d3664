/* lib/plan/cut-network.c - what is held and what is made again, as a network.
 *
 * For one step: an op's node drains into the sink at its cost; a value that is
 * read after the step supplies its op at its bytes times the price; a value
 * that is dead by then has a node of its own, fed without limit by the ops that
 * read it, with an arc to its op at its bytes times the price. On the source's
 * side are the ops that run again and the dead values they read.
 *
 * Several steps are such networks side by side. An op that is made again after
 * two of them may be so by a single run, unless it must be back between the
 * two: a value lost at the first step and read between them is made again
 * before the second. Ops' nodes that one run may serve lead to one node with
 * the cost.
 *
 * Where the order is free some ops are certain to run neither before the step
 * nor after it. What they make is held, or they run after it for nothing, for
 * that may be their first run; but then they need what they read.
 *
 * What a step reads and makes, and what cannot be made again but is read later,
 * is there without a choice and leaves the room for the rest. */

#include "plan/cut-network.h"
#include "support/divisor.h"

#include <string.h>

enum { BEFORE = 1, AFTER = 2 };

typedef struct RmCutScratch {
  int32_t step, at;
  uint8_t *when;   /* by op: before or after the step, or neither */
  uint8_t *kept;   /* by value: there at the step without a choice */
  uint8_t *read;   /* by value: by an op after the step */
  uint8_t *wanted; /* by op: something may run it again */
  int32_t *dead;   /* by value: its node, or -1 */
  int32_t *due;    /* by dead value: the op before which it is read */
  int32_t *first_reader, *readers; /* by value, ascending */
  /* By op, of the steps so far that one run may serve: */
  int32_t *group; /* the node with their cost, -1: none */
  int32_t *until; /* the op before which such a run certainly is */
} Scratch;

/*===-- Before and after --------------------------------------------------===*/

static void mark_program_order(const RmGraph *g, Scratch *s) {
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (op != s->step)
      s->when[op] = op < s->step ? BEFORE : AFTER;
}

static void mark_ancestors(const RmGraph *g, Scratch *s) {
  bool chained = false; /* ops that may not move keep their order */
  s->when[s->step] = BEFORE;
  for (int32_t op = s->step; op >= 0; --op) {
    const RmOp *o = &g->ops.items[op];
    if (chained && !o->movable)
      s->when[op] = BEFORE;
    if (s->when[op] != BEFORE)
      continue;
    chained |= !o->movable;
    for (int32_t i = 0; i < o->num_inputs; ++i) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
      if (maker >= 0)
        s->when[maker] = BEFORE;
    }
  }
  s->when[s->step] = 0;
}

static void mark_descendants(const RmGraph *g, Scratch *s) {
  bool chained = !g->ops.items[s->step].movable;
  for (int32_t op = s->step + 1; op < (int32_t)g->ops.count; ++op) {
    const RmOp *o = &g->ops.items[op];
    bool after = chained && !o->movable;
    for (int32_t i = 0; i < o->num_inputs && !after; ++i) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
      after = maker >= 0 && (maker == s->step || s->when[maker] == AFTER);
    }
    if (after) {
      s->when[op] = AFTER;
      chained |= !o->movable;
    }
  }
}

static void mark_read(const RmGraph *g, Scratch *s) {
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (s->when[op] == AFTER)
      for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
        s->read[rm_op_inputs(g, op)[i]] = 1;
}

/* Whether the op may run after the step at all. */
static bool may_run(const RmCutNetwork *n, int32_t op) {
  return n->graph->ops.items[op].recomputable || n->scratch->when[op] == 0;
}

static void keep(RmCutNetwork *n, int32_t value) {
  const RmValue *v = &n->graph->values.items[value];
  Scratch *s = n->scratch;
  if (!s->kept[value] && v->counted)
    n->needed[s->at] += v->bytes;
  s->kept[value] = 1;
}

static void keep_what_must_stay(RmCutNetwork *n) {
  const RmGraph *g = n->graph;
  Scratch *s = n->scratch;
  const RmOp *o = &g->ops.items[s->step];
  n->needed[s->at] = o->workspace;
  for (int32_t i = 0; i < o->num_inputs; ++i)
    keep(n, rm_op_inputs(g, s->step)[i]);
  for (int32_t i = 0; i < o->num_results; ++i)
    keep(n, o->first_result + i);
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i) {
    const RmValue *v = &g->values.items[i];
    if (v->op < 0 || !v->counted || v->bytes == 0)
      s->kept[i] = 1;
    else if (s->read[i] && s->when[v->op] == BEFORE &&
             !g->ops.items[v->op].recomputable)
      keep(n, i);
  }
}

/*===-- Nodes and arcs ----------------------------------------------------===*/

static int32_t add_node(RmCutNetwork *n, int32_t op, int64_t cost) {
  RmCutNode node = {.op = op, .at = n->scratch->at, .cost = cost};
  rm_vec_push(n->pool, &n->nodes, node);
  return (int32_t)n->nodes.count - 1;
}

static void add_arc(RmCutNetwork *n, int32_t from, int32_t to, int64_t bytes) {
  RmCutArc arc = {from, to, n->scratch->at, bytes};
  rm_vec_push(n->pool, &n->arcs, arc);
}

/* The op before which a run that brings the value back certainly is. */
static int32_t next_reader(const RmCutNetwork *n, int32_t value) {
  const Scratch *s = n->scratch;
  int32_t low = s->first_reader[value], high = s->first_reader[value + 1];
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (s->readers[middle] > s->step)
      high = middle;
    else
      low = middle + 1;
  }
  return low < s->first_reader[value + 1] ? s->readers[low] : INT32_MAX;
}

/* The op pays for itself, or with its nodes of earlier steps. */
static void charge(RmCutNetwork *n, int32_t op, int32_t node, int32_t until) {
  Scratch *s = n->scratch;
  int64_t most = RM_CUT_LIMIT / ((int64_t)n->count * n->graph->ops.count + 1);
  int64_t cost = n->graph->ops.items[op].cost;
  cost = cost < most ? cost : most;
  if (s->when[op] == 0)
    return; /* its first run may be after the step */
  if (s->group[op] < 0 || s->until[op] <= s->step) {
    n->nodes.items[node].cost = cost;
    s->group[op] = node;
    s->until[op] = until;
    return;
  }
  int32_t group = s->group[op];
  if (n->nodes.items[group].op >= 0) { /* until now it paid for itself */
    group = add_node(n, -1, cost);
    n->nodes.items[s->group[op]].cost = 0;
    add_arc(n, s->group[op], group, -1);
    s->group[op] = group;
  }
  add_arc(n, node, group, -1);
  s->until[op] = until > s->until[op] ? until : s->until[op];
}

/* What the op reads must be held or made again if the op runs again. */
static void add_inputs(RmCutNetwork *n, int32_t op, int32_t node,
                       int32_t until) {
  const RmGraph *g = n->graph;
  Scratch *s = n->scratch;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(g, op)[i];
    if (s->kept[value] || s->read[value])
      continue;
    const RmValue *v = &g->values.items[value];
    if (s->dead[value] < 0) {
      s->dead[value] = add_node(n, -1, 0);
      s->due[value] = 0;
      if (may_run(n, v->op))
        s->wanted[v->op] = 1;
      else
        n->nodes.items[s->dead[value]].drain = v->bytes;
    }
    s->due[value] = until > s->due[value] ? until : s->due[value];
    add_arc(n, node, s->dead[value], -1);
  }
}

/* The op's values: those read later supply it, dead ones lead to it. */
static void add_op(RmCutNetwork *n, int32_t op, bool fixed_order) {
  const Scratch *s = n->scratch;
  const RmOp *o = &n->graph->ops.items[op];
  int32_t node = add_node(n, op, 0), until = 0;
  for (int32_t i = 0; i < o->num_results; ++i) {
    int32_t value = o->first_result + i;
    int64_t bytes = n->graph->values.items[value].bytes;
    if (s->kept[value] || (!s->read[value] && s->dead[value] < 0))
      continue;
    int32_t due = s->read[value] ? next_reader(n, value) : s->due[value];
    until = due > until ? due : until;
    if (s->read[value])
      n->nodes.items[node].supply += bytes;
    else
      add_arc(n, s->dead[value], node, bytes);
  }
  until = fixed_order ? until : INT32_MAX;
  charge(n, op, node, until);
  add_inputs(n, op, node, until);
}

static void clear_scratch(const RmGraph *g, Scratch *s) {
  memset(s->when, 0, g->ops.count);
  memset(s->wanted, 0, g->ops.count);
  memset(s->kept, 0, g->values.count);
  memset(s->read, 0, g->values.count);
  memset(s->dead, -1, g->values.count * sizeof *s->dead);
}

/* Backwards, so that each op comes after all that might run it again. */
static void add_step(RmCutNetwork *n, int32_t at, bool fixed_order) {
  const RmGraph *g = n->graph;
  Scratch *s = n->scratch;
  clear_scratch(g, s);
  s->at = at;
  s->step = n->steps[at];
  if (fixed_order) {
    mark_program_order(g, s);
  } else {
    mark_ancestors(g, s);
    mark_descendants(g, s);
  }
  mark_read(g, s);
  keep_what_must_stay(n);
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i)
    if (s->read[i] && !s->kept[i] && s->when[g->values.items[i].op] != AFTER)
      s->wanted[g->values.items[i].op] = 1;
  for (int32_t op = (int32_t)g->ops.count - 1; op >= 0; --op)
    if (s->wanted[op])
      add_op(n, op, fixed_order);
}

/*===-- Units -------------------------------------------------------------===*/

static void find_units(RmCutNetwork *n) {
  for (size_t i = 0; i < n->nodes.count; ++i) {
    const RmCutNode *node = &n->nodes.items[i];
    int64_t *unit = &n->byte_unit[node->at];
    n->cost_unit = rm_common_divisor(n->cost_unit, node->cost);
    *unit =
        rm_common_divisor(rm_common_divisor(*unit, node->supply), node->drain);
  }
  for (size_t i = 0; i < n->arcs.count; ++i) {
    const RmCutArc *arc = &n->arcs.items[i];
    if (arc->bytes > 0)
      n->byte_unit[arc->at] =
          rm_common_divisor(n->byte_unit[arc->at], arc->bytes);
  }
  n->cost_unit += n->cost_unit == 0;
  for (int32_t i = 0; i < n->count; ++i)
    n->byte_unit[i] += n->byte_unit[i] == 0;
}

static void divide_by_units(RmCutNetwork *n, int64_t budget) {
  for (size_t i = 0; i < n->nodes.count; ++i) {
    RmCutNode *node = &n->nodes.items[i];
    node->cost /= n->cost_unit;
    node->supply /= n->byte_unit[node->at];
    node->drain /= n->byte_unit[node->at];
    n->total_cost += node->cost;
    n->drains[node->at] += node->drain;
  }
  for (size_t i = 0; i < n->arcs.count; ++i)
    if (n->arcs.items[i].bytes > 0)
      n->arcs.items[i].bytes /= n->byte_unit[n->arcs.items[i].at];
  for (int32_t i = 0; i < n->count; ++i) {
    int64_t room = budget - n->needed[i];
    n->room[i] = room < 0 ? -1 : room / n->byte_unit[i];
  }
}

/* What is larger than the room cannot be held, whatever it costs. */
static void force_what_cannot_be_held(RmCutNetwork *n) {
  for (size_t i = 0; i < n->nodes.count; ++i)
    if (n->nodes.items[i].supply > n->room[n->nodes.items[i].at])
      n->nodes.items[i].supply = -1;
  for (size_t i = 0; i < n->arcs.count; ++i)
    if (n->arcs.items[i].bytes > n->room[n->arcs.items[i].at])
      n->arcs.items[i].bytes = -1;
}

/*===-- All of it ---------------------------------------------------------===*/

static void find_readers(RmCutNetwork *n) {
  const RmGraph *g = n->graph;
  Scratch *s = n->scratch;
  size_t values = g->values.count;
  s->first_reader = RM_NEW_ARRAY(n->pool, int32_t, values + 2);
  s->readers = RM_NEW_ARRAY(n->pool, int32_t, g->inputs.count);
  int32_t *at = s->first_reader + 1; /* moves to the ends of the lists */
  for (size_t i = 0; i < g->inputs.count; ++i)
    ++at[g->inputs.items[i] + 1];
  for (size_t i = 0; i < values; ++i)
    at[i + 1] += at[i];
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      s->readers[at[rm_op_inputs(g, op)[i]]++] = op;
}

static void create_scratch(RmCutNetwork *n) {
  size_t ops = n->graph->ops.count, values = n->graph->values.count;
  Scratch *s = n->scratch = RM_NEW(n->pool, Scratch);
  s->when = RM_NEW_ARRAY(n->pool, uint8_t, ops);
  s->wanted = RM_NEW_ARRAY(n->pool, uint8_t, ops);
  s->kept = RM_NEW_ARRAY(n->pool, uint8_t, values);
  s->read = RM_NEW_ARRAY(n->pool, uint8_t, values);
  s->dead = RM_NEW_ARRAY(n->pool, int32_t, values);
  s->due = RM_NEW_ARRAY(n->pool, int32_t, values);
  s->group = RM_NEW_ARRAY(n->pool, int32_t, ops);
  s->until = RM_NEW_ARRAY(n->pool, int32_t, ops);
  memset(s->group, -1, ops * sizeof *s->group);
  find_readers(n);
}

static void create_flow(RmCutNetwork *n) {
  size_t nodes = n->nodes.count, arcs = n->arcs.count;
  int32_t *from = RM_NEW_ARRAY(n->pool, int32_t, arcs);
  int32_t *to = RM_NEW_ARRAY(n->pool, int32_t, arcs);
  for (size_t i = 0; i < arcs; ++i) {
    from[i] = n->arcs.items[i].from;
    to[i] = n->arcs.items[i].to;
  }
  n->flow = rm_flow_create((int32_t)nodes, (int32_t)arcs, from, to, n->pool);
  n->supply = RM_NEW_ARRAY(n->pool, int64_t, nodes);
  n->drain = RM_NEW_ARRAY(n->pool, int64_t, nodes);
  n->capacity = RM_NEW_ARRAY(n->pool, int64_t, arcs);
  n->again = RM_NEW_ARRAY(n->pool, uint8_t, nodes);
}

RmCutNetwork *rm_cut_network(const RmGraph *graph, int64_t budget,
                             const int32_t *steps, int32_t count,
                             bool fixed_order, RmPool *pool) {
  RmCutNetwork *n = RM_NEW(pool, RmCutNetwork);
  n->graph = graph;
  n->pool = pool;
  n->count = count;
  create_scratch(n);
  for (int32_t i = 0; i < count; ++i) {
    n->steps[i] = steps[i];
    add_step(n, i, fixed_order);
  }
  find_units(n);
  divide_by_units(n, budget);
  force_what_cannot_be_held(n);
  create_flow(n);
  return n;
}
