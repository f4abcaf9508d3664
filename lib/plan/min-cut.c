/* lib/plan/min-cut.c - what must be paid at one step: a bound and a plan.
 *
 * A cut at price p costs `cost` + p (`bytes` - room): a line in p, and the
 * lower envelope of these lines is a concave function, each value of which is a
 * bound. We hold a rising and a falling line, cut at the price where they meet,
 * and replace one of them, until the cut is no better than the two
 * (Dinkelbach).
 *
 * All in integers: the price of a byte is p / scale, costs are multiplied by
 * `scale`. Any p gives a valid bound. It is rounded up to what sums of costs
 * can be, room down to what sums of sizes can be. */

#include "plan/min-cut.h"
#include "plan/cut-network.h"

#include <string.h>

enum { PATIENCE = 10000000 }; /* half arcs looked at */

typedef struct Cut {
  RmCutNetwork *n;
  int64_t scale, highest_price;
  RmCutBound bound;
} Cut;

/* The finest price that keeps every cut we look at below RM_FLOW_MAX. */
static void choose_scale(Cut *c) {
  c->scale = RM_CUT_LIMIT / (c->n->total_cost + 1);
  c->highest_price = RM_CUT_LIMIT;
  if (c->n->drains[0] > 0) {
    c->scale = c->scale / 16 + 1;
    c->highest_price = RM_CUT_LIMIT / c->n->drains[0];
  }
}

/* The line's value at a price, held within what cuts can have. */
static int64_t value_at(const Cut *c, const RmCutLine *line, int64_t price) {
  int64_t over = line->bytes[0] - c->n->room[0];
  int64_t part = over < 0 ? -rm_cut_times(price, -over, RM_FLOW_MAX)
                          : rm_cut_times(price, over, RM_FLOW_MAX);
  return c->scale * line->cost + part;
}

static void note_recomputed(Cut *c) {
  memset(c->bound.recomputed, 0, c->n->graph->ops.count);
  for (int32_t i = 0; i < (int32_t)c->n->nodes.count; ++i)
    if (c->n->nodes.items[i].op >= 0 && rm_cut_runs_again(c->n, i))
      c->bound.recomputed[c->n->nodes.items[i].op] = 1;
}

static RmCutLine recompute_all(Cut *c) {
  RmCutLine line = {c->n->total_cost, {c->n->drains[0]}};
  for (size_t i = 0; i < c->n->nodes.count; ++i)
    if (c->n->nodes.items[i].op >= 0)
      c->bound.recomputed[c->n->nodes.items[i].op] = 1;
  return line;
}

/* The falling line to begin with: all runs again, or the dearest byte. */
static RmCutLine find_falling_line(Cut *c, int64_t *best) {
  RmCutLine line = recompute_all(c);
  if (line.bytes[0] <= c->n->room[0])
    return line;
  int64_t bytes_only = 1;
  c->bound.feasible = rm_cut_least(c->n, &bytes_only, 0) <= c->n->room[0];
  if (!c->bound.feasible)
    return line;
  rm_cut_least(c->n, &c->highest_price, c->scale);
  line = rm_cut_measure(c->n);
  note_recomputed(c);
  int64_t value = value_at(c, &line, c->highest_price);
  *best = value > *best ? value : *best;
  return line;
}

/* On large graphs the last tenth of a per cent is not worth its time. */
static bool is_close(const Cut *c, int64_t best, int64_t most) {
  return c->n->flow->effort > PATIENCE && most - best < best / 1000;
}

static int64_t find_best_price(Cut *c) {
  int64_t free = 0, room = c->n->room[0];
  rm_cut_least(c->n, &free, c->scale);
  RmCutLine rising = rm_cut_measure(c->n);
  int64_t best = c->scale * rising.cost;
  note_recomputed(c);
  if (rising.bytes[0] <= room)
    return best;
  RmCutLine falling = find_falling_line(c, &best);
  while (c->bound.feasible && falling.bytes[0] < rising.bytes[0] &&
         falling.bytes[0] <= room) {
    int64_t price = c->scale * (falling.cost - rising.cost) /
                    (rising.bytes[0] - falling.bytes[0]);
    if (price > c->highest_price)
      break;
    rm_cut_least(c->n, &price, c->scale);
    RmCutLine line = rm_cut_measure(c->n);
    int64_t value = value_at(c, &line, price);
    int64_t before = value_at(c, &rising, price);
    best = value > best ? value : best;
    if (line.bytes[0] <= room)
      note_recomputed(c);
    if (value >= before || line.bytes[0] == room || is_close(c, best, before))
      break;
    *(line.bytes[0] <= room ? &falling : &rising) = line;
  }
  return best;
}

static RmCutBound bound_step(const RmGraph *g, int64_t budget, int32_t step,
                             bool fixed_order, RmPool *pool) {
  Cut c = {.n = rm_cut_network(g, budget, &step, 1, fixed_order, pool)};
  c.bound.step = step;
  c.bound.feasible = c.n->room[0] >= 0;
  c.bound.recomputed = RM_NEW_ARRAY(pool, uint8_t, g->ops.count);
  if (!c.bound.feasible)
    return c.bound;
  choose_scale(&c);
  int64_t best = find_best_price(&c);
  int64_t units = best / c.scale + (best % c.scale != 0);
  c.bound.extra = units * c.n->cost_unit;
  c.bound.effort = c.n->flow->effort;
  return c.bound;
}

RmCutBound rm_min_cut_bound(const RmGraph *g, int64_t budget, int32_t step,
                            RmPool *pool) {
  return bound_step(g, budget, step, true, pool);
}

RmCutBound rm_min_cut_bound_any_order(const RmGraph *g, int64_t budget,
                                      int32_t step, RmPool *pool) {
  return bound_step(g, budget, step, false, pool);
}

int64_t rm_min_cut_least_bytes(const RmGraph *g, int32_t step, bool fixed_order,
                               RmPool *pool) {
  RmCutNetwork *n = rm_cut_network(g, INT64_MAX, &step, 1, fixed_order, pool);
  int64_t bytes_only = 1;
  if (n->drains[0] == 0)
    return n->needed[0];
  return n->needed[0] + rm_cut_least(n, &bytes_only, 0) * n->byte_unit[0];
}
