/* test/unit/exhaustive.h - small random graphs, and the truth about them.
 *
 * The truth comes from a search over all states (ops that ran, counted values
 * that are there), so for up to 8 ops and a dozen counted values. It knows
 * nothing of lib/plan. */
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

typedef struct Truth {
  const RmGraph *g;
  int64_t budget;
  bool fixed_order;
  int32_t bits;     /* counted values */
  int32_t bit[32];  /* by value: its bit, or -1 */
  int64_t size[32]; /* by bit */
  int64_t *cost;    /* by state: ran << bits | there */
  int32_t *queue;
  uint8_t *queued;
} Truth;

static inline int64_t bytes_of(const Truth *t, uint32_t there) {
  int64_t sum = 0;
  for (int32_t i = 0; i < t->bits; ++i)
    sum += there >> i & 1 ? t->size[i] : 0;
  return sum;
}

static inline bool may_run(const Truth *t, int32_t op, uint32_t ran,
                           uint32_t there) {
  const RmOp *ops = t->g->ops.items;
  if (ran >> op & 1 && !ops[op].recomputable)
    return false;
  for (int32_t i = 0; i < op && !(ran >> op & 1); ++i)
    if (!(ran >> i & 1) &&
        (t->fixed_order || (!ops[i].movable && !ops[op].movable)))
      return false;
  for (int32_t i = 0; i < ops[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(t->g, op)[i];
    int32_t maker = t->g->values.items[value].op, bit = t->bit[value];
    if (maker >= 0 && (bit >= 0 ? !(there >> bit & 1) : !(ran >> maker & 1)))
      return false;
  }
  return true;
}

static inline uint32_t results_of(const Truth *t, int32_t op) {
  const RmOp *o = &t->g->ops.items[op];
  uint32_t mask = 0;
  for (int32_t i = 0; i < o->num_results; ++i)
    if (t->bit[o->first_result + i] >= 0)
      mask |= 1u << t->bit[o->first_result + i];
  return mask;
}

static inline Truth truth_create(const RmGraph *g, int64_t budget,
                                 bool fixed_order, RmPool *pool) {
  Truth t = {.g = g, .budget = budget, .fixed_order = fixed_order};
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i) {
    t.bit[i] = g->values.items[i].counted ? t.bits++ : -1;
    if (t.bit[i] >= 0)
      t.size[t.bit[i]] = g->values.items[i].bytes;
  }
  size_t states = (size_t)1 << (t.bits + (int32_t)g->ops.count);
  t.cost = RM_NEW_ARRAY(pool, int64_t, states);
  t.queue = RM_NEW_ARRAY(pool, int32_t, states);
  t.queued = RM_NEW_ARRAY(pool, uint8_t, states);
  memset(t.cost, -1, states * sizeof *t.cost);
  return t;
}

/* The least cost of a plan within the budget; -1 if there is none. States are
 * taken from a ring until no cost improves. */
static inline int64_t least_cost(const RmGraph *g, int64_t budget,
                                 bool fixed_order) {
  RmPool *pool = rm_pool_create_or_abort();
  Truth t = truth_create(g, budget, fixed_order, pool);
  int32_t ops = (int32_t)g->ops.count;
  uint32_t states = 1u << (t.bits + ops), head = 0, tail = 1;
  int64_t best = -1;
  t.cost[0] = 0;
  while (head != tail) {
    uint32_t at = (uint32_t)t.queue[head++ % states];
    uint32_t ran = at >> t.bits, there = at & ((1u << t.bits) - 1);
    t.queued[at] = 0;
    if (ran + 1 == 1u << ops && (best < 0 || t.cost[at] < best))
      best = t.cost[at];
    for (int32_t move = 0; move < ops + t.bits; ++move) {
      uint32_t to = at;
      int64_t cost = t.cost[at];
      if (move < ops) {
        uint32_t with = there | results_of(&t, move);
        if (!may_run(&t, move, ran, there) ||
            bytes_of(&t, with) + g->ops.items[move].workspace > budget)
          continue;
        to = (ran | 1u << move) << t.bits | with;
        cost += g->ops.items[move].cost;
      } else {
        to &= ~(1u << (move - ops));
      }
      if (t.cost[to] >= 0 && t.cost[to] <= cost)
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
