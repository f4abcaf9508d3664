/* lib/plan/cut-branch.c - what must be paid at one step, in whole decisions.
 *
 * Branch and bound over the min cut at one step: an op that runs again in one
 * of the two cuts at the best price and not in the other is decided both ways,
 * the bound of each is that of the cut under the decisions, and the open case
 * with the least bound comes next. That bound is the answer at any time.
 *
 * Decisions say more than the cut can. An op that does not run again after the
 * step holds its values from there to their next readers: they take room at the
 * step and at all between. An op that does run again does so before the next
 * reader of what it brings back, beside all that is held until then. What has
 * no room beside what is decided is decided, too. That is known only where the
 * order is fixed; else there are no spans.
 *
 * An op that may not run again costs more than all others together, so the
 * network stays the same and only costs and supplies change. */

#include "plan/cut-branch.h"
#include "plan/budget-bound.h"
#include "plan/cut-price.h"

#include <string.h>

enum { OPEN, AGAIN, HELD };
enum {
  MOST_CUTS = 40 /* what one price takes, in looks at the whole network */
};

typedef struct Case {
  int64_t bound;
  int32_t parent;
  int32_t node;  /* decided here */
  int32_t split; /* to be decided next */
  uint8_t how;
} Case;

typedef struct Span { /* a value that is held if its op does not run again */
  int32_t node, until;
  int64_t bytes;
} Span;

typedef struct Branch {
  const RmGraph *g;
  RmCutNetwork *n;
  int64_t budget;
  RmPool *pool;
  RmCutPrice price;
  int64_t *cost, *supply; /* by node, as they were */
  int64_t total_cost;
  int64_t most_held; /* on a way down: prices stay fine */
  uint8_t *state;
  RM_VEC(Span) spans;
  int64_t round;   /* effort of following decisions once */
  int32_t *due;    /* by node: the op before which it runs again */
  int64_t *needed; /* by op: bytes that are there whatever is decided */
  int64_t *held;   /* by op: those and what is decided to be held */
  RM_VEC(Case) cases;
  RmIntVec heap; /* of cases, the least bound first */
  int64_t least; /* cost of a complete set of decisions; INT64_MAX: none yet */
} Branch;

/*===-- What decisions imply ----------------------------------------------===*/

static void find_spans(Branch *b) {
  const RmGraph *g = b->g;
  int32_t step = b->n->steps[0];
  int32_t *next = RM_NEW_ARRAY(b->pool, int32_t, g->values.count);
  for (int32_t op = (int32_t)g->ops.count - 1; op >= step; --op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      next[rm_op_inputs(g, op)[i]] = op;
  for (int32_t node = 0; node < (int32_t)b->n->nodes.count; ++node) {
    int32_t op = b->n->nodes.items[node].op;
    for (int32_t i = 0; op >= 0 && i < g->ops.items[op].num_results; ++i) {
      int32_t value = g->ops.items[op].first_result + i;
      const RmValue *v = &g->values.items[value];
      if (!v->counted || next[value] <= step)
        continue; /* always there, dead, or there for the step itself */
      Span span = {node, next[value], v->bytes};
      rm_vec_push(b->pool, &b->spans, span);
      if (next[value] > b->due[node])
        b->due[node] = next[value];
    }
  }
}

static void hold_span(Branch *b, const Span *span) {
  for (int32_t op = b->n->steps[0] + 1; op < span->until; ++op)
    b->held[op] += span->bytes;
}

static bool is_read_by(const Branch *b, const Span *span, int32_t op) {
  const RmGraph *g = b->g;
  int32_t maker = b->n->nodes.items[span->node].op;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
    if (g->values.items[rm_op_inputs(g, op)[i]].op == maker)
      return true;
  return false;
}

/* Bytes that are there when the node's op runs again. */
static int64_t bytes_beside(const Branch *b, int32_t node) {
  int32_t op = b->n->nodes.items[node].op;
  int64_t bytes = rm_budget_own_bytes(b->g, op);
  for (size_t i = 0; i < b->spans.count; ++i) {
    const Span *span = &b->spans.items[i];
    if (b->state[span->node] == HELD && span->until >= b->due[node] &&
        !is_read_by(b, span, op))
      bytes += span->bytes;
  }
  return bytes;
}

/* What has no room over the steps until its next reader runs again. */
static bool decide_by_steps(Branch *b) {
  const RmCutNetwork *n = b->n;
  memcpy(b->held, b->needed, b->g->ops.count * sizeof *b->held);
  for (size_t i = 0; i < b->spans.count; ++i)
    if (b->state[b->spans.items[i].node] == HELD)
      hold_span(b, &b->spans.items[i]);
  for (int32_t op = n->steps[0]; op < (int32_t)b->g->ops.count; ++op)
    if (b->held[op] > b->budget)
      return false;
  for (size_t i = 0; i < b->spans.count; ++i) {
    const Span *span = &b->spans.items[i];
    int64_t most = 0;
    if (b->state[span->node] != OPEN)
      continue;
    for (int32_t op = n->steps[0] + 1; op < span->until; ++op)
      most = b->held[op] > most ? b->held[op] : most;
    if (most + span->bytes > b->budget)
      b->state[span->node] = AGAIN;
  }
  return true;
}

/* What has no room at the step runs again. */
static bool decide_by_room(Branch *b) {
  int64_t room = b->n->room[0];
  for (size_t i = 0; i < b->n->nodes.count; ++i)
    if (b->state[i] == HELD)
      room -= b->supply[i];
  for (size_t i = 0; i < b->n->nodes.count && room >= 0; ++i)
    if (b->state[i] == OPEN && b->n->nodes.items[i].op >= 0 &&
        (b->supply[i] < 0 || b->supply[i] > room))
      b->state[i] = AGAIN;
  return room >= 0;
}

/* What has no room beside an op that runs again before its next reader runs
 * again. */
static bool decide_by_runs(Branch *b) {
  for (int32_t node = 0; node < (int32_t)b->n->nodes.count; ++node) {
    if (b->state[node] != AGAIN || b->due[node] == 0)
      continue;
    int64_t bytes = bytes_beside(b, node);
    b->n->effort += (int64_t)b->spans.count;
    int32_t op = b->n->nodes.items[node].op;
    if (bytes > b->budget)
      return false;
    for (size_t i = 0; i < b->spans.count; ++i) {
      const Span *span = &b->spans.items[i];
      if (b->state[span->node] == OPEN && span->until >= b->due[node] &&
          bytes + span->bytes > b->budget && !is_read_by(b, span, op))
        b->state[span->node] = AGAIN;
    }
  }
  return true;
}

static int32_t count_decided(const Branch *b) {
  int32_t count = 0;
  for (size_t i = 0; i < b->n->nodes.count; ++i)
    count += b->state[i] != OPEN;
  return count;
}

/* False if the decisions contradict each other. */
static bool follow_decisions(Branch *b) {
  for (int32_t before = -1; before != count_decided(b);) {
    before = count_decided(b);
    b->n->effort += b->round;
    if (!decide_by_room(b) || !decide_by_steps(b) || !decide_by_runs(b))
      return false;
  }
  return true;
}

/*===-- The tree ----------------------------------------------------------===*/

static void load_case(Branch *b, int32_t at) {
  memset(b->state, OPEN, b->n->nodes.count);
  for (; at > 0; at = b->cases.items[at].parent)
    b->state[b->cases.items[at].node] = b->cases.items[at].how;
}

static void change_network(Branch *b) {
  int64_t dear = b->total_cost + 1;
  b->n->total_cost = b->total_cost;
  for (size_t i = 0; i < b->n->nodes.count; ++i) {
    RmCutNode *node = &b->n->nodes.items[i];
    node->cost = b->state[i] == HELD ? dear : b->cost[i];
    node->supply = b->state[i] == AGAIN ? -1 : b->supply[i];
    b->n->total_cost += node->cost - b->cost[i];
  }
}

/* The op to decide next: the largest on which the two cuts differ, or else the
 * largest open one. */
static int32_t choose_split(const Branch *b) {
  int32_t split = -1;
  bool differs = false;
  for (int32_t i = 0; i < (int32_t)b->n->nodes.count; ++i) {
    bool here = b->price.again[i] != b->price.barely[i];
    if (b->state[i] != OPEN || b->n->nodes.items[i].op < 0 || here < differs)
      continue;
    if (split < 0 || here > differs || b->supply[i] > b->supply[split]) {
      split = i;
      differs = here;
    }
  }
  return split;
}

/* Whether the cut's decisions, taken as a whole, contradict nothing. */
static bool is_complete(Branch *b) {
  for (size_t i = 0; i < b->n->nodes.count; ++i)
    if (b->state[i] == OPEN && b->n->nodes.items[i].op >= 0)
      b->state[i] = b->price.again[i] ? AGAIN : HELD;
  return follow_decisions(b);
}

static bool comes_before(const Branch *b, int32_t x, int32_t y) {
  const Case *c = b->cases.items;
  return c[x].bound != c[y].bound ? c[x].bound < c[y].bound : x > y;
}

static void push_case(Branch *b, int32_t x) {
  rm_vec_push(b->pool, &b->heap, x);
  int32_t *heap = b->heap.items;
  size_t at = b->heap.count - 1;
  for (; at > 0 && comes_before(b, x, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = x;
}

static int32_t pop_case(Branch *b) {
  int32_t *heap = b->heap.items, first = heap[0];
  int32_t x = heap[--b->heap.count];
  size_t count = b->heap.count, at = 0;
  for (size_t child = 1; child < count; child = 2 * at + 1) {
    child += child + 1 < count && comes_before(b, heap[child + 1], heap[child]);
    if (!comes_before(b, heap[child], x))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = x;
  return first;
}

/* Bounds the case that was added last; it stays in the tree if it is open. */
static void examine_case(Branch *b) {
  int32_t at = (int32_t)b->cases.count - 1, held = 0;
  Case *c = &b->cases.items[at];
  load_case(b, at);
  if (!follow_decisions(b))
    return;
  change_network(b);
  rm_cut_price_again(b->n, &b->price);
  if (!b->price.feasible || b->price.cost > b->total_cost)
    return;
  c->bound = b->price.cost > c->bound ? b->price.cost : c->bound;
  c->split = choose_split(b);
  for (size_t i = 0; i < b->n->nodes.count; ++i)
    held += b->state[i] == HELD;
  if (held >= b->most_held)
    c->split = -1;
  if (b->price.fits && b->price.cost_of_fit < b->least && is_complete(b))
    b->least = b->price.cost_of_fit;
  if (c->bound < b->least)
    push_case(b, at);
}

static void add_case(Branch *b, int32_t parent, int32_t node, uint8_t how) {
  Case c = {b->cases.count ? b->cases.items[parent].bound : 0, parent, node, -1,
            how};
  rm_vec_push(b->pool, &b->cases, c);
  examine_case(b);
}

/* The least bound of an open case, or of a complete one. */
static int64_t search_tree(Branch *b, int64_t effort) {
  add_case(b, 0, -1, OPEN);
  while (b->heap.count > 0) {
    int32_t at = pop_case(b);
    Case c = b->cases.items[at];
    if (c.bound >= b->least)
      break;
    if (c.split < 0 || b->n->effort > effort)
      return c.bound;
    add_case(b, at, c.split, AGAIN);
    add_case(b, at, c.split, HELD);
  }
  return b->least;
}

static int64_t branch(const RmGraph *g, int64_t budget, int32_t step,
                      bool fixed_order, int64_t effort, RmPool *pool) {
  Branch b = {.g = g, .budget = budget, .pool = pool, .least = INT64_MAX};
  b.n = rm_cut_network(g, budget, &step, 1, fixed_order, pool);
  size_t nodes = b.n->nodes.count;
  if (MOST_CUTS * (int64_t)(nodes + 2 * b.n->arcs.count) > effort)
    return 0;
  b.price = rm_cut_price(b.n, pool);
  b.cost = RM_NEW_ARRAY(pool, int64_t, nodes);
  b.supply = RM_NEW_ARRAY(pool, int64_t, nodes);
  b.state = RM_NEW_ARRAY(pool, uint8_t, nodes);
  b.due = RM_NEW_ARRAY(pool, int32_t, nodes);
  b.held = RM_NEW_ARRAY(pool, int64_t, g->ops.count);
  b.needed = fixed_order ? rm_budget_step_bytes(g, pool)
                         : RM_NEW_ARRAY(pool, int64_t, g->ops.count);
  b.total_cost = b.n->total_cost;
  b.most_held = (RM_CUT_LIMIT >> 20) / (b.total_cost + 1);
  for (size_t i = 0; i < nodes; ++i) {
    b.cost[i] = b.n->nodes.items[i].cost;
    b.supply[i] = b.n->nodes.items[i].supply;
  }
  if (fixed_order)
    find_spans(&b);
  b.round = 4 * (int64_t)nodes;
  for (size_t i = 0; i < b.spans.count; ++i)
    b.round += (b.spans.items[i].until - step) / 8;
  if (b.round > effort)
    return b.price.feasible ? b.price.cost * b.n->cost_unit : -1;
  int64_t cost = search_tree(&b, effort);
  return cost == INT64_MAX ? -1 : cost * b.n->cost_unit;
}

int64_t rm_cut_branch(const RmGraph *g, int64_t budget, int32_t step,
                      bool fixed_order, int64_t effort, RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  int64_t extra = branch(g, budget, step, fixed_order, effort, scratch);
  rm_pool_destroy(scratch);
  return extra;
}
