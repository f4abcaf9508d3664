/* test/unit/exhaustive.h - small random graphs, and the truth about them.
 *
 * The truth comes from a search over all states (ops that ran, counted values
 * that are there), so for up to 9 ops and a dozen counted values. It knows
 * nothing of lib/plan. Views of one input that may be made again are free: they
 * are there while what they view is. A view that may be made once only, a
 * fence, has a bit; what it views is made once only too (lib/plan/views.h). */
#ifndef RM_TEST_EXHAUSTIVE_H
#define RM_TEST_EXHAUSTIVE_H

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t draw(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

static inline bool chance(uint32_t *state, uint32_t percent) {
  return draw(state, 100) < percent;
}

/* With all features if `rich`; else one counted result an op, all recomputable.
 * Ops read the last value, in the second half often that of the mirrored op,
 * and now and then any. */
static inline RmGraph *draw_graph(uint32_t *state, int32_t ops, bool rich,
                                  RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  rm_graph_argument(g, 7);
  int32_t counted = 0;
  for (int32_t op = 0; op < ops; ++op) {
    int32_t inputs[3], count = 0, known = (int32_t)g->values.count;
    inputs[count++] =
        chance(state, 80) ? known - 1 : (int32_t)draw(state, known);
    if (2 * op > ops && chance(state, 70))
      inputs[count++] = known > ops - op ? ops - op : 0;
    if (chance(state, 25))
      inputs[count++] = (int32_t)draw(state, known);
    rm_graph_op(g, draw(state, 7),
                rich && chance(state, 20) ? draw(state, 4) : 0, inputs, count,
                !rich || chance(state, 85));
    g->ops.items[op].movable |= rich && chance(state, 50);
    int32_t results = !rich || chance(state, 75) ? 1 : (int32_t)draw(state, 3);
    for (int32_t i = 0; i < results && counted < 12; ++i, ++counted) {
      int32_t value = rm_graph_result(
          g, chance(state, 10) && rich ? 0 : 1 + draw(state, 5));
      if (rich && chance(state, 10))
        rm_graph_return(g, value);
    }
  }
  return g;
}

/* Makes the op added last a view of one value, by chance a fence. */
static inline void draw_view(uint32_t *state, RmGraph *g) {
  int32_t known = (int32_t)g->values.count;
  int32_t of = chance(state, 60) ? known - 1 : (int32_t)draw(state, known);
  rm_graph_op(g, 0, 0, &of, 1, chance(state, 85));
  rm_graph_view(g, of);
}

/* As draw_graph with all features, and up to three views besides. */
static inline RmGraph *draw_whole(uint32_t *state, int32_t ops, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  rm_graph_argument(g, 7);
  int32_t bits = 0, views = 0;
  for (int32_t op = 0; op < ops; ++op) {
    int32_t inputs[3], count = 0, known = (int32_t)g->values.count;
    inputs[count++] =
        chance(state, 80) ? known - 1 : (int32_t)draw(state, known);
    if (2 * op > ops && chance(state, 70))
      inputs[count++] = known > ops - op ? ops - op : 0;
    if (chance(state, 25))
      inputs[count++] = (int32_t)draw(state, known);
    rm_graph_op(g, draw(state, 7), chance(state, 20) ? draw(state, 4) : 0,
                inputs, count, chance(state, 88));
    g->ops.items[g->ops.count - 1].movable |= chance(state, 50);
    int32_t results = chance(state, 75) ? 1 : (int32_t)draw(state, 3);
    for (int32_t i = 0; i < results && bits < 11; ++i, ++bits) {
      int32_t value =
          rm_graph_result(g, chance(state, 10) ? 0 : 1 + draw(state, 5));
      if (chance(state, 10))
        rm_graph_return(g, value);
    }
    if (views < 3 && bits < 11 && chance(state, 20)) {
      draw_view(state, g);
      bits += !g->ops.items[g->ops.count - 1].recomputable;
      ++views;
    }
  }
  return g;
}

enum { TRUTH_VALUES = 64, TRUTH_OPS = 16 };

typedef struct Truth {
  const RmGraph *g;
  int64_t budget;
  bool fixed_order;
  int32_t ops, op[TRUTH_OPS];   /* those that are no free views */
  int32_t bits;                 /* counted storages, and fences */
  int32_t bit[TRUTH_VALUES];    /* by value: its own bit, or -1 */
  uint32_t needs[TRUTH_VALUES]; /* by value: what is there when it is */
  int32_t maker[TRUTH_VALUES];  /* by value: place of an op in `op`, or -1 */
  bool once[TRUTH_OPS];         /* by place in `op` */
  int64_t size[32];             /* by bit */
  int64_t *cost;                /* by state: ran << bits | there */
  int32_t *queue;
  uint8_t *queued;
} Truth;

static inline int64_t bytes_of(const Truth *t, uint32_t there) {
  int64_t sum = 0;
  for (int32_t i = 0; i < t->bits; ++i)
    sum += there >> i & 1 ? t->size[i] : 0;
  return sum;
}

/* In a fixed order `ran` is how many ran, else which, by place in `op`. */
static inline bool has_run(const Truth *t, int32_t at, uint32_t ran) {
  return t->fixed_order ? at < (int32_t)ran : ran >> at & 1;
}

static inline uint32_t after_run(const Truth *t, int32_t at, uint32_t ran) {
  return t->fixed_order ? ran + (at == (int32_t)ran) : ran | 1u << at;
}

static inline bool may_run(const Truth *t, int32_t at, uint32_t ran,
                           uint32_t there) {
  const RmOp *ops = t->g->ops.items, *op = &ops[t->op[at]];
  if (has_run(t, at, ran) && t->once[at])
    return false;
  for (int32_t i = 0; i < at && !has_run(t, at, ran); ++i)
    if (!has_run(t, i, ran) &&
        (t->fixed_order || (!ops[t->op[i]].movable && !op->movable)))
      return false;
  for (int32_t i = 0; i < op->num_inputs; ++i) {
    int32_t value = rm_op_inputs(t->g, t->op[at])[i], maker = t->maker[value];
    if ((maker >= 0 && !has_run(t, maker, ran)) ||
        (there & t->needs[value]) != t->needs[value])
      return false;
  }
  return true;
}

static inline uint32_t results_of(const Truth *t, int32_t at) {
  const RmOp *o = &t->g->ops.items[t->op[at]];
  uint32_t mask = 0;
  for (int32_t i = 0; i < o->num_results; ++i)
    if (t->bit[o->first_result + i] >= 0)
      mask |= 1u << t->bit[o->first_result + i];
  return mask;
}

/* A free view has the maker and the needs of what it views. */
static inline void truth_add_value(Truth *t, int32_t v, int32_t at) {
  const RmValue *value = &t->g->values.items[v];
  bool is_free = at < 0 && value->alias >= 0;
  int32_t root = rm_graph_storage(t->g, v);
  t->maker[v] = is_free ? t->maker[value->alias] : at;
  t->needs[v] = value->alias >= 0 ? t->needs[value->alias] : 0;
  t->bit[v] = -1;
  bool counted = value->alias < 0 ? value->counted : t->bit[root] >= 0;
  if (value->alias >= 0 && !is_free && t->maker[root] >= 0)
    t->once[t->maker[root]] = true;
  if (is_free || !counted)
    return;
  t->bit[v] = t->bits;
  t->needs[v] |= 1u << t->bits;
  t->size[t->bits] = value->alias < 0 ? value->bytes : 0;
  ++t->bits;
}

static inline bool is_free_view(const RmGraph *g, const RmOp *op) {
  return op->recomputable && op->num_results == 1 &&
         g->values.items[op->first_result].alias >= 0;
}

static inline Truth truth_create(const RmGraph *g, int64_t budget,
                                 bool fixed_order, RmPool *pool) {
  Truth t = {.g = g, .budget = budget, .fixed_order = fixed_order};
  int32_t place[TRUTH_VALUES];
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    place[op] = is_free_view(g, &g->ops.items[op]) ? -1 : t.ops;
    if (place[op] < 0)
      continue;
    t.once[t.ops] = !g->ops.items[op].recomputable;
    t.op[t.ops++] = op;
  }
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v) {
    int32_t op = g->values.items[v].op;
    truth_add_value(&t, v, op < 0 ? -1 : place[op]);
  }
  size_t runs = fixed_order ? (size_t)t.ops + 1 : (size_t)1 << t.ops;
  size_t states = runs << t.bits;
  t.cost = RM_NEW_ARRAY(pool, int64_t, states);
  t.queue = RM_NEW_ARRAY(pool, int32_t, states);
  t.queued = RM_NEW_ARRAY(pool, uint8_t, states);
  memset(t.cost, -1, states * sizeof *t.cost);
  return t;
}

/* The state that a move leads to, and its cost; false if it may not be made. A
 * move runs an op or drops what has a bit. */
static inline bool truth_move(const Truth *t, int32_t move, uint32_t at,
                              uint32_t *to, int64_t *cost) {
  uint32_t ran = at >> t->bits, there = at & ((1u << t->bits) - 1);
  if (move >= t->ops) {
    *to = at & ~(1u << (move - t->ops));
    return *to != at;
  }
  const RmOp *op = &t->g->ops.items[t->op[move]];
  uint32_t with = there | results_of(t, move);
  if (!may_run(t, move, ran, there) ||
      bytes_of(t, with) + op->workspace > t->budget)
    return false;
  *to = after_run(t, move, ran) << t->bits | with;
  *cost += op->cost;
  return true;
}

/* The least cost of a plan within the budget; -1 if there is none. States are
 * taken from a ring until no cost improves. */
static inline int64_t least_cost(const RmGraph *g, int64_t budget,
                                 bool fixed_order) {
  RmPool *pool = rm_pool_create_or_abort();
  Truth t = truth_create(g, budget, fixed_order, pool);
  uint32_t last = fixed_order ? (uint32_t)t.ops : (1u << t.ops) - 1;
  uint32_t states = (last + 1) << t.bits, head = 0, tail = 1;
  int64_t best = -1;
  t.cost[0] = 0;
  while (head != tail) {
    uint32_t at = (uint32_t)t.queue[head++ % states];
    t.queued[at] = 0;
    if (at >> t.bits == last && (best < 0 || t.cost[at] < best))
      best = t.cost[at];
    for (int32_t move = 0; move < t.ops + t.bits; ++move) {
      int64_t cost = t.cost[at];
      uint32_t to;
      if (!truth_move(&t, move, at, &to, &cost) ||
          (t.cost[to] >= 0 && t.cost[to] <= cost))
        continue;
      t.cost[to] = cost;
      if (!t.queued[to])
        t.queue[tail++ % states] = (int32_t)to;
      t.queued[to] = 1;
    }
  }
  rm_pool_destroy(pool);
  return best;
}

/* The least budget that any plan fits. */
static inline int64_t least_budget(const RmGraph *g, bool fixed_order) {
  int64_t budget = 0;
  while (least_cost(g, budget, fixed_order) < 0)
    ++budget;
  return budget;
}

static inline int64_t total_cost(const RmGraph *g) {
  int64_t sum = 0;
  for (size_t i = 0; i < g->ops.count; ++i)
    sum += g->ops.items[i].cost;
  return sum;
}

#endif
