/* lib/plan/dtr.c - what an online evictor would do, simulated.
 *
 * Dynamic tensor rematerialisation (Kirisame et al., ICLR 2021): ops run in
 * order without foresight; when bytes are short the value with the least
 * cost / (bytes × staleness) is evicted, and made again when it is read. The
 * cost is that of the op and of the evicted neighbours without which it cannot
 * run, or which cannot run without it, kept as classes in a union-find tree.
 *
 * Values that the program reads no more go at once, as when it drops its last
 * reference; they may be made again for the sake of others. What can be made
 * once only stays while any run can need it. Where nothing can be evicted, or
 * the simulation thrashes, it goes on above the budget: it always ends. */
#include "plan/strategy.h"

enum { MOST_RUNS = 40 }; /* of an op, on average, before eviction ends */

static const int64_t most_work[] = {100000000, 500000000, 2000000000,
                                    8000000000};

typedef struct Dtr {
  const RmGraph *graph;
  RmPool *pool;
  int64_t budget, bytes, clock;
  int32_t now;          /* base step */
  int32_t *until;       /* by value: the last base step that may need it */
  int32_t *wanted;      /* by value: the last base step for which it stays */
  int32_t *locks;       /* by value: readers about to run */
  int64_t *used;        /* by value: when last */
  int32_t *place;       /* by value: in `resident`, -1 if evicted */
  RmIntVec resident;    /* counted values */
  int32_t *class_of;    /* by op: its node, if evicted */
  RmIntVec parents;     /* by node */
  RM_VEC(int64_t) sums; /* by node: cost of the class, at roots */
  RmIntVec *readers;    /* by value: ops */
  RmIntVec steps;
  int64_t work; /* left for choosing */
} Dtr;

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

/*===-- Uses --------------------------------------------------------------===*/

static void find_uses(Dtr *d) {
  const RmGraph *g = d->graph;
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v)
    d->until[v] = d->place[v] = -1;
  for (int32_t op = (int32_t)g->ops.count - 1; op >= 0; --op) {
    const RmOp *info = &g->ops.items[op];
    int32_t until = op;
    for (int32_t i = 0; i < info->num_results && info->recomputable; ++i)
      if (weighs(g, info->first_result + i) &&
          d->until[info->first_result + i] > until)
        until = d->until[info->first_result + i];
    for (int32_t i = 0; i < info->num_inputs; ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      d->until[v] = d->until[v] > until ? d->until[v] : until;
      if (weighs(g, v))
        rm_vec_push(d->pool, &d->readers[v], op);
    }
  }
}

static void find_wanted(Dtr *d) {
  for (int32_t v = 0; v < (int32_t)d->graph->values.count; ++v) {
    int32_t op = d->graph->values.items[v].op;
    d->wanted[v] = d->until[v];
    if (op >= 0 && d->graph->ops.items[op].recomputable)
      d->wanted[v] = d->readers[v].count ? d->readers[v].items[0] : op;
  }
}

/*===-- Classes of evicted ops --------------------------------------------===*/

static int32_t find_root(Dtr *d, int32_t node) {
  int32_t *parents = d->parents.items;
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

static void join(Dtr *d, int32_t op, int32_t other) {
  if (other < 0 || d->class_of[other] < 0)
    return;
  int32_t a = find_root(d, d->class_of[op]);
  int32_t b = find_root(d, d->class_of[other]);
  if (a == b)
    return;
  d->parents.items[a] = b;
  d->sums.items[b] += d->sums.items[a];
}

static int32_t input_maker(const Dtr *d, int32_t op, int32_t i) {
  return d->graph->values.items[rm_op_inputs(d->graph, op)[i]].op;
}

static void enter_class(Dtr *d, int32_t op, int32_t value) {
  if (d->class_of[op] < 0) {
    d->class_of[op] = (int32_t)d->parents.count;
    rm_vec_push(d->pool, &d->parents, d->class_of[op]);
    rm_vec_push(d->pool, &d->sums, d->graph->ops.items[op].cost);
  }
  for (int32_t i = 0; i < d->graph->ops.items[op].num_inputs; ++i)
    join(d, op, input_maker(d, op, i));
  for (size_t i = 0; i < d->readers[value].count; ++i)
    join(d, op, d->readers[value].items[i]);
}

/* Others of its class stay together, as in the paper. */
static void leave_class(Dtr *d, int32_t op) {
  if (d->class_of[op] < 0)
    return;
  d->sums.items[find_root(d, d->class_of[op])] -= d->graph->ops.items[op].cost;
  d->class_of[op] = -1;
}

enum { MOST_CLASSES = 16 };

static int64_t add_class(Dtr *d, int32_t op, int32_t *seen, int32_t *count) {
  if (op < 0 || d->class_of[op] < 0 || *count == MOST_CLASSES)
    return 0;
  int32_t root = find_root(d, d->class_of[op]);
  for (int32_t i = 0; i < *count; ++i)
    if (seen[i] == root)
      return 0;
  seen[(*count)++] = root;
  return d->sums.items[root];
}

static int64_t cost_with_neighbours(Dtr *d, int32_t value) {
  int32_t op = d->graph->values.items[value].op;
  int32_t seen[MOST_CLASSES], count = 0;
  int64_t cost = d->graph->ops.items[op].cost + 1;
  for (int32_t i = 0; i < d->graph->ops.items[op].num_inputs; ++i)
    cost += add_class(d, input_maker(d, op, i), seen, &count);
  for (size_t i = 0; i < d->readers[value].count; ++i)
    cost += add_class(d, d->readers[value].items[i], seen, &count);
  return cost;
}

/*===-- Residents ---------------------------------------------------------===*/

static void settle(Dtr *d, int32_t value) {
  d->used[value] = d->clock;
  if (d->place[value] >= 0)
    return;
  d->place[value] = (int32_t)d->resident.count;
  rm_vec_push(d->pool, &d->resident, value);
  d->bytes += d->graph->values.items[value].bytes;
}

static void drop(Dtr *d, int32_t value) {
  int32_t hole = d->place[value];
  int32_t last = d->resident.items[--d->resident.count];
  d->resident.items[hole] = last;
  d->place[last] = hole;
  d->place[value] = -1;
  d->bytes -= d->graph->values.items[value].bytes;
}

static bool may_evict(const Dtr *d, int32_t value) {
  const RmValue *v = &d->graph->values.items[value];
  return !d->locks[value] && v->bytes &&
         d->graph->ops.items[v->op].recomputable;
}

/* The least worth keeping, the one made first of equals; -1 if none. */
static int32_t choose(Dtr *d) {
  int32_t best = -1;
  double least = 0;
  d->work -= 4 * (int64_t)d->resident.count;
  for (size_t i = 0; i < d->resident.count; ++i) {
    int32_t v = d->resident.items[i];
    if (!may_evict(d, v))
      continue;
    double stale = (double)(d->clock - d->used[v] + 1);
    double worth = (double)cost_with_neighbours(d, v) /
                   ((double)d->graph->values.items[v].bytes * stale);
    if (best >= 0 && (worth > least || (worth == least && v > best)))
      continue;
    best = v;
    least = worth;
  }
  return best;
}

/*===-- Running -----------------------------------------------------------===*/

static bool is_missing(const Dtr *d, int32_t value) {
  return weighs(d->graph, value) && d->place[value] < 0;
}

static void lock_inputs(Dtr *d, int32_t op, int32_t by) {
  for (int32_t i = 0; i < d->graph->ops.items[op].num_inputs; ++i)
    d->locks[rm_op_inputs(d->graph, op)[i]] += by;
}

static int64_t new_bytes(const Dtr *d, int32_t op) {
  const RmOp *info = &d->graph->ops.items[op];
  int64_t bytes = info->workspace;
  for (int32_t i = 0; i < info->num_results; ++i)
    if (is_missing(d, info->first_result + i))
      bytes += d->graph->values.items[info->first_result + i].bytes;
  return bytes;
}

static void make_room(Dtr *d, int32_t op) {
  size_t most = (size_t)MOST_RUNS * d->graph->ops.count;
  while (d->bytes > d->budget - new_bytes(d, op) && d->work > 0 &&
         d->steps.count <= most) {
    int32_t victim = choose(d);
    if (victim < 0)
      return;
    drop(d, victim);
    enter_class(d, d->graph->values.items[victim].op, victim);
  }
}

static void let_go_if_done(Dtr *d, int32_t value, bool base) {
  if (d->place[value] < 0 || d->locks[value] ||
      d->wanted[value] >= d->now + base)
    return;
  drop(d, value);
  if (d->until[value] >= d->now + base)
    enter_class(d, d->graph->values.items[value].op, value);
}

static void run(Dtr *d, int32_t op) {
  const RmOp *info = &d->graph->ops.items[op];
  make_room(d, op);
  rm_vec_push(d->pool, &d->steps, op);
  d->clock += info->cost;
  leave_class(d, op);
  lock_inputs(d, op, -1);
  for (int32_t i = 0; i < info->num_results; ++i)
    if (weighs(d->graph, info->first_result + i))
      settle(d, info->first_result + i);
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t v = rm_op_inputs(d->graph, op)[i];
    d->used[v] = d->clock;
    let_go_if_done(d, v, op == d->now);
  }
  for (int32_t i = 0; i < info->num_results; ++i)
    let_go_if_done(d, info->first_result + i, op == d->now);
}

static int32_t missing_maker(const Dtr *d, int32_t op) {
  for (int32_t i = 0; i < d->graph->ops.items[op].num_inputs; ++i)
    if (is_missing(d, rm_op_inputs(d->graph, op)[i]))
      return input_maker(d, op, i);
  return -1;
}

/* Chains of evicted ops may be long, so the stack is our own. */
static void run_with_inputs(Dtr *d, int32_t op) {
  RmIntVec stack = {0};
  rm_vec_push(d->pool, &stack, op);
  lock_inputs(d, op, 1);
  while (stack.count) {
    int32_t top = stack.items[stack.count - 1], maker = missing_maker(d, top);
    if (maker >= 0) {
      rm_vec_push(d->pool, &stack, maker);
      lock_inputs(d, maker, 1);
      continue;
    }
    --stack.count;
    run(d, top);
  }
}

RmSchedule rm_strategy_dtr(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  size_t ops = graph->ops.count, values = graph->values.count;
  Dtr d = {.graph = graph,
           .pool = pool,
           .budget = problem->options->budget,
           .work = most_work[problem->options->effort & 3]};
  d.until = RM_NEW_ARRAY(pool, int32_t, values);
  d.wanted = RM_NEW_ARRAY(pool, int32_t, values);
  d.locks = RM_NEW_ARRAY(pool, int32_t, values);
  d.used = RM_NEW_ARRAY(pool, int64_t, values);
  d.place = RM_NEW_ARRAY(pool, int32_t, values);
  d.readers = RM_NEW_ARRAY(pool, RmIntVec, values);
  d.class_of = RM_NEW_ARRAY(pool, int32_t, ops);
  for (size_t op = 0; op < ops; ++op)
    d.class_of[op] = -1;
  find_uses(&d);
  find_wanted(&d);
  for (d.now = 0; d.now < (int32_t)ops; ++d.now)
    run_with_inputs(&d, d.now);
  return (RmSchedule){d.steps.items, (int32_t)d.steps.count};
}
