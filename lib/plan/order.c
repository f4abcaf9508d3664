/* lib/plan/order.c - the order of first computations.
 *
 * Beside the program's own, `late` lets what grows the live bytes wait for its
 * first reader, and two are list schedules with a heap: `eager` takes of the
 * ready ops the one that grows the live bytes least (frees most), in several
 * variants, and `lazy` runs the same rule backward from the end, which puts
 * large results late and gradients' uses early. Ops that may not move keep
 * their order among themselves: each waits for the one before it. */
#include "plan/order.h"

#include "support/map.h"

#include <string.h>

RmGraph *rm_order_apply(const RmGraph *graph, const int32_t *order,
                        RmPool *pool) {
  RmGraph *copy = rm_graph_create(pool);
  int32_t *renamed = RM_NEW_ARRAY(pool, int32_t, graph->values.count);
  RmIntVec inputs = {0};
  for (size_t v = 0; v < graph->values.count; ++v)
    if (graph->values.items[v].op < 0)
      renamed[v] = rm_graph_argument(copy, graph->values.items[v].bytes);
  for (size_t i = 0; i < graph->ops.count; ++i) {
    const RmOp *op = &graph->ops.items[order[i]];
    inputs.count = 0;
    for (int32_t k = 0; k < op->num_inputs; ++k)
      rm_vec_push(pool, &inputs, renamed[rm_op_inputs(graph, order[i])[k]]);
    rm_graph_copy_op(copy, graph, order[i], inputs.items, op->num_inputs,
                     renamed);
  }
  return copy;
}

/*===-- A heap of ready ops -----------------------------------------------===*/

typedef struct Entry {
  int64_t key;
  int32_t tie, op;
} Entry;

typedef struct Heap {
  RM_VEC(Entry) entries;
} Heap;

static bool less(Entry a, Entry b) {
  return a.key != b.key ? a.key < b.key : a.tie < b.tie;
}

static void swap(Entry *a, Entry *b) {
  Entry old = *a;
  *a = *b;
  *b = old;
}

static void push(RmPool *pool, Heap *heap, Entry entry) {
  rm_vec_push(pool, &heap->entries, entry);
  Entry *e = heap->entries.items;
  for (size_t i = heap->entries.count - 1; i && less(e[i], e[(i - 1) / 2]);
       i = (i - 1) / 2)
    swap(&e[i], &e[(i - 1) / 2]);
}

static Entry pop(Heap *heap) {
  Entry *e = heap->entries.items, top = e[0];
  size_t count = --heap->entries.count, i = 0;
  e[0] = e[count];
  for (;;) {
    size_t least = i, left = 2 * i + 1;
    if (left < count && less(e[left], e[least]))
      least = left;
    if (left + 1 < count && less(e[left + 1], e[least]))
      least = left + 1;
    if (least == i)
      return top;
    swap(&e[i], &e[least]);
    i = least;
  }
}

/*===-- Which op waits for which ------------------------------------------===*/

typedef struct Order {
  const RmGraph *graph;
  RmPool *pool;
  RmIntVec *readers; /* by value */
  int32_t *unmoved;  /* by op: the next one that may not move either, or -1 */
  int32_t *waits;    /* by op: how many it waits for */
  int32_t *unread;   /* by value: its readers not run yet */
  int64_t *key;      /* by op, as in the heap; stale entries differ */
  bool *done;
  Heap heap;
  int32_t variant; /* of the eager order; 0: as it is */
  int64_t largest; /* bytes of a value */
} Order;

static int64_t weight(const RmGraph *g, int32_t value) {
  const RmValue *v = &g->values.items[value];
  return v->counted && v->op >= 0 ? v->bytes : 0;
}

static int64_t result_bytes(const RmGraph *g, int32_t op) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < g->ops.items[op].num_results; ++i)
    bytes += weight(g, g->ops.items[op].first_result + i);
  return bytes;
}

static Order start(const RmGraph *graph, RmPool *pool) {
  Order o = {.graph = graph, .pool = pool};
  o.readers = RM_NEW_ARRAY(pool, RmIntVec, graph->values.count);
  o.unmoved = RM_NEW_ARRAY(pool, int32_t, graph->ops.count);
  o.waits = RM_NEW_ARRAY(pool, int32_t, graph->ops.count);
  o.unread = RM_NEW_ARRAY(pool, int32_t, graph->values.count);
  o.key = RM_NEW_ARRAY(pool, int64_t, graph->ops.count);
  o.done = RM_NEW_ARRAY(pool, bool, graph->ops.count);
  int32_t last = -1;
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op) {
    o.unmoved[op] = -1;
    for (int32_t i = 0; i < graph->ops.items[op].num_inputs; ++i)
      rm_vec_push(pool, &o.readers[rm_op_inputs(graph, op)[i]], op);
    if (graph->ops.items[op].movable)
      continue;
    if (last >= 0)
      o.unmoved[last] = op;
    last = op;
  }
  return o;
}

/*===-- Forward: what frees most comes first ------------------------------===*/

static int64_t growth(const Order *o, int32_t op) {
  int64_t bytes = result_bytes(o->graph, op);
  for (int32_t i = 0; i < o->graph->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(o->graph, op)[i];
    if (o->unread[value] == 1)
      bytes -= weight(o->graph, value);
  }
  return bytes;
}

/* Spreads an op and a variant over 0..255: the same on every machine. */
static int64_t noise(const Order *o, int32_t op) {
  struct {
    int32_t op, variant;
  } key = {op, o->variant};
  return (int64_t)(rm_hash_bytes(&key, sizeof key, 0) >> 56);
}

/* Variants look at the bytes with a blurred eye, by a factor between a half and
 * three halves, or by up to a quarter of the largest value either way. */
static int64_t blurred(const Order *o, int32_t op, int64_t bytes) {
  if (!o->variant)
    return bytes;
  if (o->variant % 2)
    return bytes + bytes / 256 * (noise(o, op) - 128);
  return bytes + o->largest / 512 * (noise(o, op) - 128);
}

static void offer(Order *o, int32_t op) {
  o->key[op] = blurred(o, op, growth(o, op));
  push(o->pool, &o->heap, (Entry){o->key[op], op, op});
}

static void release(Order *o, int32_t op) {
  if (--o->waits[op] == 0)
    offer(o, op);
}

/* The only reader left of a value now frees it: its key falls. */
static void offer_last_reader(Order *o, int32_t value) {
  for (size_t i = 0; i < o->readers[value].count; ++i) {
    int32_t reader = o->readers[value].items[i];
    if (!o->done[reader] && !o->waits[reader])
      offer(o, reader);
  }
}

static void finish(Order *o, int32_t op) {
  const RmOp *info = &o->graph->ops.items[op];
  o->done[op] = true;
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t value = rm_op_inputs(o->graph, op)[i];
    if (--o->unread[value] == 1 && weight(o->graph, value))
      offer_last_reader(o, value);
  }
  for (int32_t i = 0; i < info->num_results; ++i)
    for (size_t k = 0; k < o->readers[info->first_result + i].count; ++k)
      release(o, o->readers[info->first_result + i].items[k]);
  if (o->unmoved[op] >= 0)
    release(o, o->unmoved[op]);
}

static void count_waits(Order *o) {
  const RmGraph *g = o->graph;
  for (size_t v = 0; v < g->values.count; ++v)
    o->unread[v] = (int32_t)o->readers[v].count;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      o->waits[op] += g->values.items[rm_op_inputs(g, op)[i]].op >= 0;
    if (o->unmoved[op] >= 0)
      ++o->waits[o->unmoved[op]];
  }
}

static int64_t largest_value(const RmGraph *graph) {
  int64_t largest = 0;
  for (int32_t v = 0; v < (int32_t)graph->values.count; ++v)
    if (weight(graph, v) > largest)
      largest = weight(graph, v);
  return largest;
}

static int32_t *order_eager(const RmGraph *graph, int32_t variant,
                            RmPool *pool) {
  int32_t *order = RM_NEW_ARRAY(pool, int32_t, graph->ops.count), count = 0;
  Order o = start(graph, rm_pool_branch(pool));
  o.variant = variant;
  o.largest = largest_value(graph);
  count_waits(&o);
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op)
    if (!o.waits[op])
      offer(&o, op);
  while (o.heap.entries.count) {
    Entry next = pop(&o.heap);
    if (o.done[next.op] || next.key != o.key[next.op])
      continue;
    order[count++] = next.op;
    finish(&o, next.op);
  }
  rm_pool_destroy(o.pool);
  return order;
}

/*===-- Backward: what was made largest goes last -------------------------===*/

/* Seen backward an op starts the lives of inputs that nothing later reads and
 * ends those of its results. */
static int64_t growth_backward(const Order *o, int32_t op) {
  int64_t bytes = -result_bytes(o->graph, op);
  for (int32_t i = 0; i < o->graph->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(o->graph, op)[i];
    if (o->unread[value] == (int32_t)o->readers[value].count)
      bytes += weight(o->graph, value);
  }
  return bytes;
}

static void offer_backward(Order *o, int32_t op) {
  o->key[op] = growth_backward(o, op);
  push(o->pool, &o->heap, (Entry){o->key[op], -op, op});
}

static void release_backward(Order *o, int32_t op) {
  if (--o->waits[op] == 0)
    offer_backward(o, op);
}

static void finish_backward(Order *o, int32_t op, const int32_t *before) {
  const RmOp *info = &o->graph->ops.items[op];
  o->done[op] = true;
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t value = rm_op_inputs(o->graph, op)[i];
    int32_t maker = o->graph->values.items[value].op;
    bool first = o->unread[value]-- == (int32_t)o->readers[value].count;
    for (size_t k = 0; first && k < o->readers[value].count; ++k) {
      int32_t reader = o->readers[value].items[k];
      if (!o->done[reader] && !o->waits[reader])
        offer_backward(o, reader);
    }
    if (maker >= 0)
      release_backward(o, maker);
  }
  if (before[op] >= 0)
    release_backward(o, before[op]);
}

static int32_t *order_lazy(const RmGraph *graph, RmPool *pool) {
  int32_t count = (int32_t)graph->ops.count;
  int32_t *order = RM_NEW_ARRAY(pool, int32_t, count);
  Order o = start(graph, rm_pool_branch(pool));
  int32_t *before = RM_NEW_ARRAY(o.pool, int32_t, count);
  memset(before, -1, sizeof *before * (size_t)count);
  for (int32_t op = 0; op < count; ++op) {
    const RmOp *info = &graph->ops.items[op];
    for (int32_t i = 0; i < info->num_results; ++i)
      o.waits[op] += (int32_t)o.readers[info->first_result + i].count;
    if (o.unmoved[op] >= 0) {
      before[o.unmoved[op]] = op;
      ++o.waits[op];
    }
  }
  for (size_t v = 0; v < graph->values.count; ++v)
    o.unread[v] = (int32_t)o.readers[v].count;
  for (int32_t op = 0; op < count; ++op)
    if (!o.waits[op])
      offer_backward(&o, op);
  for (int32_t at = count; o.heap.entries.count;) {
    Entry next = pop(&o.heap);
    if (o.done[next.op] || next.key != o.key[next.op])
      continue;
    order[--at] = next.op;
    finish_backward(&o, next.op, before);
  }
  rm_pool_destroy(o.pool);
  return order;
}

/*===-- As late as possible -----------------------------------------------===*/

/* The first input of `op` whose maker has no place yet, or -1. */
static int32_t unplaced_maker(const RmGraph *g, int32_t op,
                              const bool *placed) {
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
    if (maker >= 0 && !placed[maker])
      return maker;
  }
  return -1;
}

/* Program order, but each op that would grow the live bytes waits until its
 * first reader comes, and is then made right before it. The stack holds the
 * chain of ops that wait for one another. */
static void place(const Order *o, int32_t op, RmSchedule *order, bool *placed,
                  RmIntVec *stack) {
  rm_vec_push(o->pool, stack, op);
  while (stack->count) {
    int32_t top = stack->items[stack->count - 1];
    int32_t maker = unplaced_maker(o->graph, top, placed);
    if (maker >= 0) {
      rm_vec_push(o->pool, stack, maker);
      continue;
    }
    --stack->count;
    placed[top] = true;
    order->steps[order->count++] = top;
  }
}

static bool may_wait(const Order *o, int32_t op) {
  const RmOp *info = &o->graph->ops.items[op];
  int64_t dying = 0;
  if (!info->movable)
    return false;
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t value = rm_op_inputs(o->graph, op)[i];
    const RmIntVec *readers = &o->readers[value];
    if (readers->items[readers->count - 1] == op)
      dying += weight(o->graph, value);
  }
  bool is_read = false;
  for (int32_t i = 0; i < info->num_results; ++i)
    is_read |= o->readers[info->first_result + i].count > 0;
  return is_read && result_bytes(o->graph, op) > dying;
}

static int32_t *order_late(const RmGraph *graph, RmPool *pool) {
  RmSchedule order = {RM_NEW_ARRAY(pool, int32_t, graph->ops.count), 0};
  Order o = start(graph, rm_pool_branch(pool));
  bool *placed = RM_NEW_ARRAY(o.pool, bool, graph->ops.count);
  RmIntVec stack = {0};
  for (int32_t op = 0; op < (int32_t)graph->ops.count; ++op)
    if (!may_wait(&o, op) && !placed[op])
      place(&o, op, &order, placed, &stack);
  rm_pool_destroy(o.pool);
  return order.steps;
}

enum { LARGE = 4000, ORDERS_IF_LARGE = 8 };

int rm_order_candidates(const RmGraph *graph, int32_t *orders[RM_MOST_ORDERS],
                        RmPool *pool) {
  int count = graph->ops.count > LARGE ? ORDERS_IF_LARGE : RM_MOST_ORDERS;
  orders[0] = rm_schedule_identity(graph, pool).steps;
  orders[1] = order_late(graph, pool);
  orders[2] = order_lazy(graph, pool);
  for (int i = 3; i < count; ++i)
    orders[i] = order_eager(graph, i - 3, pool);
  return count;
}
