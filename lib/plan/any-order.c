/* lib/plan/any-order.c - the best plan of a very small graph in any order.
 *
 * Shortest paths over states: which ops ran, which counted values are there. An
 * op runs if what it reads is there; values go only when room is needed for it,
 * and then in every way of which no part would do. A plan that lets go earlier,
 * or more, is no better than one of these. Paths are ordered by what they cost
 * beyond each op once, then by runs, then by ops that still have to run, so
 * that the first whole one is the best. */
#include "plan/any-order.h"

#include "support/map.h"

enum { MOST_BITS = 64 };

typedef struct Node {
  uint64_t ran, there; /* ops; values, by bit */
  int64_t extra;       /* cost of runs again */
  int32_t again, left; /* runs again; ops that did not run */
  int32_t parent, op;  /* the state before, and what ran there */
} Node;

typedef struct AnyOrder {
  const RmGraph *graph;
  RmPool *pool;
  int64_t budget;
  int32_t bits, most_states;
  int32_t *bit;    /* by value, -1: not counted */
  int64_t *bytes;  /* by bit */
  uint64_t *reads; /* by op: bits */
  uint64_t *makes; /* by op: bits */
  uint64_t *after; /* by op: ops that must run before it does */
  RM_VEC(Node) nodes;
  RmIntVec heap;
  RmMap best; /* of a state: its node */
} AnyOrder;

/*===-- The graph as bits -------------------------------------------------===*/

static int32_t count_bits(const RmGraph *g) {
  int32_t bits = 0;
  for (size_t v = 0; v < g->values.count; ++v)
    bits += g->values.items[v].op >= 0 && g->values.items[v].counted;
  return bits;
}

bool rm_any_order_applies(const RmGraph *graph) {
  return graph->ops.count > 0 &&
         (int32_t)graph->ops.count + count_bits(graph) <= MOST_BITS;
}

static void number_values(AnyOrder *a) {
  const RmGraph *g = a->graph;
  a->bit = RM_NEW_ARRAY(a->pool, int32_t, g->values.count);
  a->bytes = RM_NEW_ARRAY(a->pool, int64_t, MOST_BITS);
  for (size_t v = 0; v < g->values.count; ++v) {
    const RmValue *value = &g->values.items[v];
    a->bit[v] = value->op >= 0 && value->counted ? a->bits++ : -1;
    if (a->bit[v] >= 0)
      a->bytes[a->bit[v]] = value->bytes;
  }
}

static void read_op(AnyOrder *a, int32_t op) {
  const RmOp *ops = a->graph->ops.items;
  for (int32_t i = 0; i < ops[op].num_inputs; ++i) {
    int32_t v = rm_op_inputs(a->graph, op)[i];
    if (a->bit[v] >= 0)
      a->reads[op] |= 1ull << a->bit[v];
    if (a->graph->values.items[v].op >= 0)
      a->after[op] |= 1ull << a->graph->values.items[v].op;
  }
  for (int32_t i = 0; i < ops[op].num_results; ++i)
    if (a->bit[ops[op].first_result + i] >= 0)
      a->makes[op] |= 1ull << a->bit[ops[op].first_result + i];
  for (int32_t before = 0; before < op && !ops[op].movable; ++before)
    if (!ops[before].movable)
      a->after[op] |= 1ull << before;
}

static AnyOrder create(const RmGraph *graph, int64_t budget, RmPool *pool) {
  AnyOrder a = {.graph = graph, .pool = pool, .budget = budget};
  a.reads = RM_NEW_ARRAY(pool, uint64_t, graph->ops.count);
  a.makes = RM_NEW_ARRAY(pool, uint64_t, graph->ops.count);
  a.after = RM_NEW_ARRAY(pool, uint64_t, graph->ops.count);
  a.best = rm_map_create(pool);
  number_values(&a);
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op)
    read_op(&a, op);
  return a;
}

/*===-- The states to look at ---------------------------------------------===*/

static bool is_before(const Node *x, const Node *y) {
  if (x->extra != y->extra)
    return x->extra < y->extra;
  if (x->again != y->again)
    return x->again < y->again;
  return x->left < y->left;
}

/* Of equal ones the later node, so that a path is followed to its end, with
 * the first op in program order that can run: ops are tried from the last. */
static bool heap_before(const AnyOrder *a, int32_t i, int32_t k) {
  const Node *x = &a->nodes.items[i], *y = &a->nodes.items[k];
  return is_before(x, y) || (!is_before(y, x) && i > k);
}

static void push(AnyOrder *a, int32_t node) {
  rm_vec_push(a->pool, &a->heap, node);
  int32_t *heap = a->heap.items, at = (int32_t)a->heap.count - 1;
  for (; at && heap_before(a, node, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = node;
}

static int32_t pop(AnyOrder *a) {
  int32_t *heap = a->heap.items, top = heap[0], at = 0;
  int32_t last = heap[--a->heap.count], count = (int32_t)a->heap.count;
  for (int32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && heap_before(a, heap[child + 1], heap[child]))
      ++child;
    if (!heap_before(a, heap[child], last))
      break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return top;
}

static uint64_t key_of(const AnyOrder *a, const Node *n) {
  return n->ran << a->bits | n->there;
}

static void offer(AnyOrder *a, const Node *n) {
  int64_t known = rm_map_or(&a->best, key_of(a, n), -1);
  if (known >= 0 && !is_before(n, &a->nodes.items[known]))
    return;
  rm_map_set(&a->best, key_of(a, n), (int64_t)a->nodes.count);
  rm_vec_push(a->pool, &a->nodes, *n);
  push(a, (int32_t)a->nodes.count - 1);
}

/*===-- Moves -------------------------------------------------------------===*/

static int64_t bytes_of(const AnyOrder *a, uint64_t set) {
  int64_t bytes = 0;
  for (; set; set &= set - 1)
    bytes += a->bytes[__builtin_ctzll(set)];
  return bytes;
}

static bool is_over(const AnyOrder *a) {
  return (int32_t)a->nodes.count > a->most_states;
}

/* Lets go of values from bit `from` on until `need` bytes are free, in every
 * way of which no part would do; `gone` went already. */
static void make_room(AnyOrder *a, const Node *n, uint64_t may_go, int32_t from,
                      uint64_t gone, int64_t need) {
  if (need <= 0) {
    for (uint64_t rest = gone; rest; rest &= rest - 1)
      if (need + a->bytes[__builtin_ctzll(rest)] <= 0)
        return;
    Node next = *n;
    next.there &= ~gone;
    offer(a, &next);
    return;
  }
  uint64_t rest = from < MOST_BITS ? may_go >> from << from : 0;
  if (bytes_of(a, rest) < need || is_over(a))
    return;
  for (; rest; rest &= rest - 1) {
    int32_t bit = __builtin_ctzll(rest);
    if (a->bytes[bit])
      make_room(a, n, may_go, bit + 1, gone | 1ull << bit,
                need - a->bytes[bit]);
  }
}

static void try_op(AnyOrder *a, int32_t node, int32_t op) {
  Node n = a->nodes.items[node];
  const RmOp *info = &a->graph->ops.items[op];
  bool again = n.ran >> op & 1;
  if ((n.there & a->reads[op]) != a->reads[op] ||
      (n.ran & a->after[op]) != a->after[op] ||
      (again && (!info->recomputable || !(a->makes[op] & ~n.there))))
    return;
  uint64_t may_go = n.there & ~a->reads[op] & ~a->makes[op];
  n.ran |= 1ull << op;
  n.there |= a->makes[op];
  n.extra += again ? info->cost : 0;
  n.again += again;
  n.left -= !again;
  n.parent = node;
  n.op = op;
  make_room(a, &n, may_go, 0, 0,
            bytes_of(a, n.there) + info->workspace - a->budget);
}

static RmSchedule write_path(const AnyOrder *a, int32_t node, RmPool *pool) {
  RmSchedule path = {0};
  for (int32_t n = node; a->nodes.items[n].parent >= 0;
       n = a->nodes.items[n].parent)
    ++path.count;
  path.steps = RM_NEW_ARRAY(pool, int32_t, path.count);
  for (int32_t n = node, at = path.count; at > 0; n = a->nodes.items[n].parent)
    path.steps[--at] = a->nodes.items[n].op;
  return path;
}

RmAnyOrder rm_any_order_plan(const RmGraph *graph, int64_t budget,
                             int32_t most_states, RmPool *pool) {
  RmAnyOrder result = {0};
  int32_t ops = (int32_t)graph->ops.count;
  AnyOrder a = create(graph, budget, rm_pool_branch(pool));
  offer(&a, &(Node){.left = ops, .parent = -1, .op = -1});
  a.most_states = most_states;
  while (a.heap.count && !result.schedule.steps && !is_over(&a)) {
    int32_t node = pop(&a);
    const Node *n = &a.nodes.items[node];
    if (rm_map_or(&a.best, key_of(&a, n), -1) != node)
      continue; /* a better one of this state came */
    if (!n->left)
      result.schedule = write_path(&a, node, pool);
    for (int32_t op = ops; op-- > 0 && a.nodes.items[node].left;)
      try_op(&a, node, op);
  }
  result.proved = result.schedule.steps || !is_over(&a);
  rm_pool_destroy(a.pool);
  return result;
}
