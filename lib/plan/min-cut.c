/* lib/plan/min-cut.c - what must be paid at one step: a bound and a plan.
 *
 * A value made before the step and read after it is held (its bytes) or its op
 * runs again (its cost, and each of its inputs is in turn held or made again).
 * The network: an op's node drains into the sink at its cost; a value that is
 * read after the step supplies its op at its bytes times the price; a value
 * that is dead by then has a node of its own, fed without limit by the ops that
 * read it, with an arc to its op at its bytes times the price. On the source's
 * side are the ops that run again and the dead values they read.
 *
 * A cut at price p costs `cost` + p (`bytes` - room): a line in p, and the
 * lower envelope of these lines is a concave function, each value of which is a
 * bound. We hold a rising and a falling line, cut at the price where they meet,
 * and replace one of them, until the cut is no better than the two
 * (Dinkelbach).
 *
 * All in integers: the price of a byte is p / scale, costs are multiplied by
 * `scale`. Any p gives a valid bound. Costs and bytes are divided by their
 * greatest common divisors first, so bounds are rounded up and room down to
 * what sums of costs and sizes can be. */

#include "plan/min-cut.h"
#include "plan/max-flow.h"

#include <string.h>

enum { BEFORE = 1, AFTER = 2 };

#define LIMIT (RM_FLOW_MAX / 4) /* of all costs, scaled */

typedef struct Node {
  int32_t op;     /* or -1: a dead value */
  int64_t cost;   /* of running the op again, in units */
  int64_t supply; /* bytes of its values that are read after the step */
  int64_t drain;  /* bytes of a dead value whose op runs only once */
} Node;

typedef struct Arc {
  int32_t from, to;
  int64_t bytes; /* -1: without limit */
} Arc;

typedef struct Line {
  int64_t cost, bytes;
} Line;

typedef struct Cut {
  const RmGraph *g;
  RmPool *pool;
  int32_t step;
  uint8_t *when; /* by op: before or after the step, or neither */
  uint8_t *kept; /* by value: there at the step without a choice */
  uint8_t *read; /* by value: by an op after the step */
  int64_t room;  /* bytes for what may be held by choice */
  RM_VEC(Node) nodes;
  RM_VEC(Arc) arcs;
  int64_t cost_unit, byte_unit;
  int64_t total_cost, total_drain;
  RmFlow *flow;
  int64_t *supply, *drain, *capacity;
  int64_t scale, highest_price;
} Cut;

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void mark_program_order(Cut *c) {
  int32_t count = (int32_t)c->g->ops.count;
  for (int32_t op = 0; op < count; ++op)
    if (op != c->step)
      c->when[op] = op < c->step ? BEFORE : AFTER;
}

static void mark_ancestors(Cut *c) {
  const RmGraph *g = c->g;
  bool chained = false; /* ops that may not move keep their order */
  c->when[c->step] = BEFORE;
  for (int32_t op = c->step; op >= 0; --op) {
    const RmOp *o = &g->ops.items[op];
    if (chained && !o->movable)
      c->when[op] = BEFORE;
    if (c->when[op] != BEFORE)
      continue;
    chained |= !o->movable;
    for (int32_t i = 0; i < o->num_inputs; ++i) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
      if (maker >= 0)
        c->when[maker] = BEFORE;
    }
  }
  c->when[c->step] = 0;
}

static void mark_descendants(Cut *c) {
  const RmGraph *g = c->g;
  int32_t count = (int32_t)g->ops.count;
  bool chained = !g->ops.items[c->step].movable;
  for (int32_t op = c->step + 1; op < count; ++op) {
    const RmOp *o = &g->ops.items[op];
    bool after = chained && !o->movable;
    for (int32_t i = 0; i < o->num_inputs && !after; ++i) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
      after = maker >= 0 && (maker == c->step || c->when[maker] == AFTER);
    }
    if (after) {
      c->when[op] = AFTER;
      chained |= !o->movable;
    }
  }
}

static void keep(Cut *c, int32_t value) {
  const RmValue *v = &c->g->values.items[value];
  if (!c->kept[value] && v->counted)
    c->room -= v->bytes;
  c->kept[value] = 1;
}

/* What the step itself holds, what is free, and what cannot be made again. */
static void keep_what_must_stay(Cut *c) {
  const RmGraph *g = c->g;
  const RmOp *o = &g->ops.items[c->step];
  c->room -= o->workspace;
  for (int32_t i = 0; i < o->num_inputs; ++i)
    keep(c, rm_op_inputs(g, c->step)[i]);
  for (int32_t i = 0; i < o->num_results; ++i)
    keep(c, o->first_result + i);
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i) {
    const RmValue *v = &g->values.items[i];
    if (v->op < 0 || !v->counted || v->bytes == 0)
      c->kept[i] = 1;
    else if (c->read[i] && c->when[v->op] == BEFORE &&
             !g->ops.items[v->op].recomputable)
      keep(c, i);
  }
}

static void mark_read(Cut *c) {
  const RmGraph *g = c->g;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (c->when[op] == AFTER)
      for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
        c->read[rm_op_inputs(g, op)[i]] = 1;
}

static int32_t add_node(Cut *c, int32_t op, int64_t cost) {
  Node node = {op, cost, 0, 0};
  rm_vec_push(c->pool, &c->nodes, node);
  return (int32_t)c->nodes.count - 1;
}

static void add_arc(Cut *c, int32_t from, int32_t to, int64_t bytes) {
  Arc arc = {from, to, bytes};
  rm_vec_push(c->pool, &c->arcs, arc);
}

/* The op's values: those read later supply it, dead ones lead to it. */
static int32_t add_op(Cut *c, int32_t op, const int32_t *dead) {
  const RmOp *o = &c->g->ops.items[op];
  int64_t most = LIMIT / ((int64_t)c->g->ops.count + 1);
  int32_t node = add_node(c, op, o->cost < most ? o->cost : most);
  for (int32_t i = 0; i < o->num_results; ++i) {
    int32_t value = o->first_result + i;
    int64_t bytes = c->g->values.items[value].bytes;
    if (c->kept[value])
      continue;
    if (c->read[value])
      c->nodes.items[node].supply += bytes;
    else if (dead[value] >= 0)
      add_arc(c, dead[value], node, bytes);
  }
  return node;
}

/* What the op reads must be held or made again if the op runs again. */
static void add_inputs(Cut *c, int32_t op, int32_t node, int32_t *dead,
                       uint8_t *wanted) {
  const RmGraph *g = c->g;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(g, op)[i];
    if (c->kept[value] || c->read[value])
      continue;
    const RmValue *v = &g->values.items[value];
    if (dead[value] < 0) {
      dead[value] = add_node(c, -1, 0);
      if (g->ops.items[v->op].recomputable)
        wanted[v->op] = 1;
      else
        c->nodes.items[dead[value]].drain = v->bytes;
    }
    add_arc(c, node, dead[value], -1);
  }
}

/* Backwards, so that each op comes after all that might run it again. */
static void build_network(Cut *c) {
  const RmGraph *g = c->g;
  uint8_t *wanted = RM_NEW_ARRAY(c->pool, uint8_t, g->ops.count);
  int32_t *dead = RM_NEW_ARRAY(c->pool, int32_t, g->values.count);
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i) {
    dead[i] = -1;
    int32_t op = g->values.items[i].op;
    if (c->read[i] && !c->kept[i] && c->when[op] == BEFORE)
      wanted[op] = 1;
  }
  for (int32_t op = c->step - 1; op >= 0; --op)
    if (wanted[op])
      add_inputs(c, op, add_op(c, op, dead), dead, wanted);
}

static void divide_by_units(Cut *c) {
  for (size_t i = 0; i < c->nodes.count; ++i) {
    const Node *n = &c->nodes.items[i];
    c->cost_unit = common_divisor(c->cost_unit, n->cost);
    c->byte_unit = common_divisor(c->byte_unit, n->supply);
    c->byte_unit = common_divisor(c->byte_unit, n->drain);
  }
  for (size_t i = 0; i < c->arcs.count; ++i)
    if (c->arcs.items[i].bytes > 0)
      c->byte_unit = common_divisor(c->byte_unit, c->arcs.items[i].bytes);
  c->cost_unit += c->cost_unit == 0;
  c->byte_unit += c->byte_unit == 0;
  for (size_t i = 0; i < c->nodes.count; ++i) {
    Node *n = &c->nodes.items[i];
    c->total_cost += n->cost /= c->cost_unit;
    c->total_drain += n->drain /= c->byte_unit;
    n->supply /= c->byte_unit;
  }
  for (size_t i = 0; i < c->arcs.count; ++i)
    if (c->arcs.items[i].bytes > 0)
      c->arcs.items[i].bytes /= c->byte_unit;
  if (c->room > 0)
    c->room /= c->byte_unit;
}

/* The finest price that keeps every cut we look at below RM_FLOW_MAX. */
static void choose_scale(Cut *c) {
  c->scale = LIMIT / (c->total_cost + 1);
  c->highest_price = LIMIT;
  if (c->total_drain > 0) {
    c->scale = c->scale / 16 + 1;
    c->highest_price = LIMIT / c->total_drain;
  }
}

static void create_flow(Cut *c) {
  size_t nodes = c->nodes.count, arcs = c->arcs.count;
  int32_t *from = RM_NEW_ARRAY(c->pool, int32_t, arcs);
  int32_t *to = RM_NEW_ARRAY(c->pool, int32_t, arcs);
  for (size_t i = 0; i < arcs; ++i) {
    from[i] = c->arcs.items[i].from;
    to[i] = c->arcs.items[i].to;
  }
  c->flow = rm_flow_create((int32_t)nodes, (int32_t)arcs, from, to, c->pool);
  c->supply = RM_NEW_ARRAY(c->pool, int64_t, nodes);
  c->drain = RM_NEW_ARRAY(c->pool, int64_t, nodes);
  c->capacity = RM_NEW_ARRAY(c->pool, int64_t, arcs);
}

static int64_t multiply_up_to(int64_t a, int64_t b, int64_t most) {
  return b != 0 && a > most / b ? most : a * b;
}

/* The least cut where a byte costs `price` and costs count `scale` fold. */
static int64_t cut_at(Cut *c, int64_t price, int64_t scale) {
  for (size_t i = 0; i < c->nodes.count; ++i) {
    const Node *n = &c->nodes.items[i];
    c->supply[i] = multiply_up_to(price, n->supply, RM_FLOW_MAX);
    c->drain[i] = n->op >= 0 ? scale * n->cost : price * n->drain;
  }
  for (size_t i = 0; i < c->arcs.count; ++i) {
    int64_t bytes = c->arcs.items[i].bytes;
    c->capacity[i] =
        bytes < 0 ? RM_FLOW_MAX : multiply_up_to(price, bytes, RM_FLOW_MAX);
  }
  rm_flow_reset(c->flow, c->supply, c->drain, c->capacity);
  return rm_flow_run(c->flow);
}

static bool runs_again(const Cut *c, int32_t node) {
  return rm_flow_cut_off(c->flow, node);
}

static Line measure_cut(const Cut *c) {
  Line line = {0, 0};
  for (int32_t i = 0; i < (int32_t)c->nodes.count; ++i) {
    const Node *n = &c->nodes.items[i];
    if (runs_again(c, i)) {
      line.cost += n->cost;
      line.bytes += n->drain;
    } else {
      line.bytes += n->supply;
    }
  }
  for (size_t i = 0; i < c->arcs.count; ++i) {
    const Arc *a = &c->arcs.items[i];
    if (runs_again(c, a->from) && !runs_again(c, a->to))
      line.bytes += a->bytes;
  }
  return line;
}

/* The line's value at a price, held within what cuts can have. */
static int64_t value_at(const Cut *c, Line line, int64_t price) {
  int64_t over = line.bytes - c->room;
  int64_t part = over < 0 ? -multiply_up_to(price, -over, RM_FLOW_MAX)
                          : multiply_up_to(price, over, RM_FLOW_MAX);
  return c->scale * line.cost + part;
}

static void note_recomputed(const Cut *c, RmCutBound *bound) {
  memset(bound->recomputed, 0, c->g->ops.count);
  for (int32_t i = 0; i < (int32_t)c->nodes.count; ++i)
    if (c->nodes.items[i].op >= 0 && runs_again(c, i))
      bound->recomputed[c->nodes.items[i].op] = 1;
}

/* The falling line to begin with: all runs again, or the dearest byte. */
static Line find_falling_line(Cut *c, RmCutBound *bound, int64_t *best) {
  Line all = {c->total_cost, c->total_drain};
  for (size_t i = 0; i < c->nodes.count; ++i)
    if (c->nodes.items[i].op >= 0)
      bound->recomputed[c->nodes.items[i].op] = 1;
  if (all.bytes <= c->room)
    return all;
  if (cut_at(c, 1, 0) > c->room) {
    bound->feasible = false;
    return all;
  }
  cut_at(c, c->highest_price, c->scale);
  Line line = measure_cut(c);
  note_recomputed(c, bound);
  int64_t value = value_at(c, line, c->highest_price);
  *best = value > *best ? value : *best;
  return line;
}

static int64_t find_best_price(Cut *c, Line rising, RmCutBound *bound) {
  int64_t best = 0;
  Line falling = find_falling_line(c, bound, &best);
  while (bound->feasible && falling.bytes < rising.bytes &&
         falling.bytes <= c->room) {
    int64_t price = c->scale * (falling.cost - rising.cost) /
                    (rising.bytes - falling.bytes);
    if (price > c->highest_price)
      break;
    cut_at(c, price, c->scale);
    Line line = measure_cut(c);
    int64_t value = value_at(c, line, price);
    int64_t before = value_at(c, rising, price);
    best = value > best ? value : best;
    if (line.bytes <= c->room)
      note_recomputed(c, bound);
    if (value >= before || line.bytes == c->room)
      break;
    *(line.bytes <= c->room ? &falling : &rising) = line;
  }
  return best;
}

static RmCutBound bound_cut(Cut *c) {
  RmCutBound bound = {c->room >= 0, 0, c->step, NULL};
  Line rising = {0, 0};
  bound.recomputed = RM_NEW_ARRAY(c->pool, uint8_t, c->g->ops.count);
  if (!bound.feasible)
    return bound;
  build_network(c);
  divide_by_units(c);
  for (size_t i = 0; i < c->nodes.count; ++i)
    rising.bytes += c->nodes.items[i].supply;
  if (rising.bytes <= c->room)
    return bound;
  choose_scale(c);
  create_flow(c);
  int64_t best = find_best_price(c, rising, &bound);
  int64_t units = best / c->scale + (best % c->scale != 0);
  bound.extra = units * c->cost_unit;
  return bound;
}

static Cut start_cut(const RmGraph *g, int64_t budget, int32_t step,
                     bool fixed_order, RmPool *pool) {
  Cut c = {.g = g, .pool = pool, .step = step, .room = budget};
  c.when = RM_NEW_ARRAY(pool, uint8_t, g->ops.count);
  c.kept = RM_NEW_ARRAY(pool, uint8_t, g->values.count);
  c.read = RM_NEW_ARRAY(pool, uint8_t, g->values.count);
  if (fixed_order) {
    mark_program_order(&c);
  } else {
    mark_ancestors(&c);
    mark_descendants(&c);
  }
  mark_read(&c);
  keep_what_must_stay(&c);
  return c;
}

RmCutBound rm_min_cut_bound(const RmGraph *g, int64_t budget, int32_t step,
                            RmPool *pool) {
  Cut c = start_cut(g, budget, step, true, pool);
  return bound_cut(&c);
}

RmCutBound rm_min_cut_bound_any_order(const RmGraph *g, int64_t budget,
                                      int32_t step, RmPool *pool) {
  Cut c = start_cut(g, budget, step, false, pool);
  return bound_cut(&c);
}

int64_t rm_min_cut_least_bytes(const RmGraph *g, int32_t step, bool fixed_order,
                               RmPool *pool) {
  Cut c = start_cut(g, 0, step, fixed_order, pool);
  int64_t bytes = -c.room;
  build_network(&c);
  divide_by_units(&c);
  if (c.total_drain == 0)
    return bytes;
  create_flow(&c);
  return bytes + cut_at(&c, 1, 0) * c.byte_unit;
}
