/* lib/plan/cut-price.c - the price of a byte that makes the best bound.
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

#include "plan/cut-price.h"

#include <string.h>

enum { PATIENCE = 3000000 }; /* half arcs looked at */

typedef struct Search {
  RmCutNetwork *n;
  RmCutPrice *price;
  int64_t scale, highest;
  int64_t room, best;
  RmCutLine rising, falling;
} Search;

/* The finest price that keeps every cut we look at below RM_FLOW_MAX. */
static void choose_scale(Search *s) {
  s->scale = RM_CUT_LIMIT / (s->n->total_cost + 1);
  s->highest = RM_CUT_LIMIT;
  if (s->n->drains[0] > 0) {
    s->scale = s->scale / 16 + 1;
    s->highest = RM_CUT_LIMIT / s->n->drains[0];
  }
}

/* The line's value at a price, held within what cuts can have. */
static int64_t value_at(const Search *s, const RmCutLine *line, int64_t p) {
  int64_t over = line->bytes[0] - s->room;
  int64_t part = over < 0 ? -rm_cut_times(p, -over, RM_FLOW_MAX)
                          : rm_cut_times(p, over, RM_FLOW_MAX);
  return s->scale * line->cost + part;
}

static void note(const Search *s, uint8_t *sides) {
  for (int32_t i = 0; i < (int32_t)s->n->nodes.count; ++i)
    sides[i] = rm_cut_runs_again(s->n, i);
}

/* Takes the cut's line for the rising or the falling one; its value. */
static int64_t take_cut(Search *s, int64_t p) {
  RmCutLine line = rm_cut_measure(s->n);
  int64_t value = value_at(s, &line, p);
  s->best = value > s->best ? value : s->best;
  if (line.bytes[0] > s->room) {
    s->rising = line;
    note(s, s->price->barely);
  } else {
    s->falling = line;
    s->price->fits = true;
    note(s, s->price->again);
  }
  return value;
}

static int64_t cut_at(Search *s, int64_t p) {
  rm_cut_least(s->n, &p, s->scale);
  return take_cut(s, p);
}

static int64_t cut_between(Search *s, int64_t p) {
  rm_cut_least_between(s->n, &p, s->scale, s->price->barely, s->price->again);
  return take_cut(s, p);
}

/* All runs again, or as much as the dearest byte makes run again. */
static void find_falling_line(Search *s) {
  int64_t bytes_only = 1;
  if (s->n->drains[0] <= s->room) {
    s->falling = (RmCutLine){s->n->total_cost, {s->n->drains[0]}};
    s->price->fits = true;
    memset(s->price->again, 1, s->n->nodes.count);
  } else if (rm_cut_least(s->n, &bytes_only, 0) > s->room) {
    s->price->feasible = false;
  } else {
    RmCutLine rising = s->rising;
    cut_at(s, s->highest);
    s->rising = s->price->fits ? rising : s->rising;
  }
}

/* On large graphs the last tenth of a per cent is not worth its time. */
static bool is_close(const Search *s, int64_t most) {
  return s->n->effort > PATIENCE && most - s->best < s->best / 1000;
}

static void search_price(Search *s) {
  while (s->price->feasible && s->price->fits) {
    int64_t p = s->scale * (s->falling.cost - s->rising.cost) /
                (s->rising.bytes[0] - s->falling.bytes[0]);
    int64_t most = value_at(s, &s->rising, p);
    if (p > s->highest || cut_between(s, p) >= most || is_close(s, most) ||
        s->falling.bytes[0] == s->room)
      break;
  }
}

void rm_cut_price_again(RmCutNetwork *n, RmCutPrice *price) {
  Search s = {.n = n, .price = price, .room = n->room[0]};
  price->feasible = n->room[0] >= 0;
  price->fits = false;
  memset(price->again, 0, n->nodes.count);
  if (!price->feasible)
    return;
  choose_scale(&s);
  cut_at(&s, 0);
  if (!price->fits) {
    /* Where bytes cost nothing, what runs again for nothing says nothing. */
    memset(price->barely, 0, n->nodes.count);
    find_falling_line(&s);
    search_price(&s);
  }
  price->cost_of_fit = s.falling.cost;
  price->cost = s.best / s.scale + (s.best % s.scale != 0);
}

RmCutPrice rm_cut_price(RmCutNetwork *n, RmPool *pool) {
  RmCutPrice price = {0};
  price.again = RM_NEW_ARRAY(pool, uint8_t, n->nodes.count);
  price.barely = RM_NEW_ARRAY(pool, uint8_t, n->nodes.count);
  rm_cut_price_again(n, &price);
  return price;
}
