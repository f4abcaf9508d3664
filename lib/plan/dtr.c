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
 * once only stays while any run can need it. Where nothing can be evicted it
 * goes on above the budget; where it thrashes it evicts no more: it always
 * ends.
 *
 * Bytes × staleness / cost grows evenly with time, so the victim is the
 * greatest of many lines. A line whose cost fell is set anew at once, one whose
 * cost rose when it comes out as the greatest. */
#include "plan/lines.h"
#include "plan/strategy.h"

enum { MOST_RUNS = 8, MOST_STEPS = 2000000 }; /* more is thrashing */

typedef struct Dtr {
  const RmGraph *graph;
  RmPool *pool;
  int64_t budget, bytes, clock;
  int32_t now;           /* base step */
  int32_t *until;        /* by value: the last base step that may need it */
  int32_t *wanted;       /* by value: the last base step for which it stays */
  int32_t *locks;        /* by value: readers about to run */
  int64_t *used;         /* by value: when last */
  bool *resident;        /* by counted value */
  RmLines lines;         /* by value: those that may be evicted */
  int32_t *class_of;     /* by op: its node, if evicted */
  RmIntVec parents;      /* by node */
  RM_VEC(int64_t) sums;  /* by node: cost of the class, at roots */
  int32_t *first_reader; /* by value, and one more: into `readers` */
  int32_t *readers;      /* ops */
  RmIntVec stack;        /* ops that wait for their inputs */
  RmIntVec steps;
  size_t most_steps;
} Dtr;

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

static bool thrashes(const Dtr *d) { return d->steps.count > d->most_steps; }

/*===-- Uses --------------------------------------------------------------===*/

static void list_readers(Dtr *d) {
  const RmGraph *g = d->graph;
  int32_t values = (int32_t)g->values.count, ops = (int32_t)g->ops.count;
  int32_t *next = RM_NEW_ARRAY(d->pool, int32_t, values + 2);
  for (size_t i = 0; i < g->inputs.count; ++i)
    ++next[g->inputs.items[i] + 2];
  for (int32_t v = 1; v <= values; ++v)
    next[v + 1] += next[v];
  d->readers = RM_NEW_ARRAY(d->pool, int32_t, g->inputs.count);
  for (int32_t op = 0; op < ops; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      d->readers[next[rm_op_inputs(g, op)[i] + 1]++] = op;
  d->first_reader = next;
}

static int32_t count_readers(const Dtr *d, int32_t value) {
  return d->first_reader[value + 1] - d->first_reader[value];
}

static const int32_t *readers_of(const Dtr *d, int32_t value) {
  return d->readers + d->first_reader[value];
}

static void find_uses(Dtr *d) {
  const RmGraph *g = d->graph;
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v)
    d->until[v] = -1;
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
    }
  }
}

static void find_wanted(Dtr *d) {
  for (int32_t v = 0; v < (int32_t)d->graph->values.count; ++v) {
    int32_t op = d->graph->values.items[v].op, count = count_readers(d, v);
    d->wanted[v] = d->until[v];
    if (op >= 0 && d->graph->ops.items[op].recomputable)
      d->wanted[v] = count ? readers_of(d, v)[count - 1] : op;
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
  for (int32_t i = 0; i < count_readers(d, value); ++i)
    join(d, op, readers_of(d, value)[i]);
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
  for (int32_t i = 0; i < count_readers(d, value); ++i)
    cost += add_class(d, readers_of(d, value)[i], seen, &count);
  return cost;
}

/*===-- Residents ---------------------------------------------------------===*/

static bool may_evict(const Dtr *d, int32_t value) {
  const RmValue *v = &d->graph->values.items[value];
  return weighs(d->graph, value) && d->resident[value] && !d->locks[value] &&
         v->bytes && d->graph->ops.items[v->op].recomputable;
}

static void set_line(Dtr *d, int32_t value) {
  RmLine line = {-1, 0};
  if (may_evict(d, value)) {
    line.slope = (double)d->graph->values.items[value].bytes /
                 (double)cost_with_neighbours(d, value);
    line.since = d->used[value] - 1;
  }
  const RmLine *old = &d->lines.lines[value];
  if (old->slope != line.slope || old->since != line.since)
    rm_lines_set(&d->lines, value, line, d->clock);
}

static void settle(Dtr *d, int32_t value) {
  d->used[value] = d->clock;
  if (!d->resident[value])
    d->bytes += d->graph->values.items[value].bytes;
  d->resident[value] = true;
  set_line(d, value);
}

static void drop(Dtr *d, int32_t value) {
  d->resident[value] = false;
  d->bytes -= d->graph->values.items[value].bytes;
  set_line(d, value);
}

/* -1 if nothing may be evicted. */
static int32_t choose(Dtr *d) {
  for (;;) {
    int32_t value = rm_lines_greatest(&d->lines, d->clock);
    if (value < 0)
      return -1;
    double slope = d->lines.lines[value].slope;
    set_line(d, value);
    if (d->lines.lines[value].slope == slope)
      return value;
  }
}

/* Others of its class stay together, as in the paper. */
static void leave_class(Dtr *d, int32_t op) {
  const RmOp *info = &d->graph->ops.items[op];
  if (d->class_of[op] < 0)
    return;
  d->sums.items[find_root(d, d->class_of[op])] -= info->cost;
  d->class_of[op] = -1;
  for (int32_t i = 0; i < info->num_inputs; ++i)
    set_line(d, rm_op_inputs(d->graph, op)[i]);
}

/*===-- Running -----------------------------------------------------------===*/

static bool is_missing(const Dtr *d, int32_t value) {
  return weighs(d->graph, value) && !d->resident[value];
}

static void lock_inputs(Dtr *d, int32_t op, int32_t by) {
  for (int32_t i = 0; i < d->graph->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(d->graph, op)[i];
    bool was_free = !d->locks[value];
    d->locks[value] += by;
    if (was_free != !d->locks[value])
      set_line(d, value);
  }
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
  while (d->bytes > d->budget - new_bytes(d, op) && !thrashes(d)) {
    int32_t victim = choose(d);
    if (victim < 0)
      return;
    drop(d, victim);
    enter_class(d, d->graph->values.items[victim].op, victim);
  }
}

static void let_go_if_done(Dtr *d, int32_t value, bool base) {
  int32_t now = d->now + base;
  bool is_done = d->wanted[value] < now && !thrashes(d);
  if (!weighs(d->graph, value) || !d->resident[value] || d->locks[value] ||
      !(is_done || d->until[value] < now))
    return;
  drop(d, value);
  if (d->until[value] >= now)
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
    set_line(d, v);
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
  rm_vec_push(d->pool, &d->stack, op);
  lock_inputs(d, op, 1);
  while (d->stack.count) {
    int32_t top = d->stack.items[d->stack.count - 1];
    int32_t maker = missing_maker(d, top);
    if (maker >= 0) {
      rm_vec_push(d->pool, &d->stack, maker);
      lock_inputs(d, maker, 1);
      continue;
    }
    --d->stack.count;
    run(d, top);
  }
}

static Dtr create(const RmGraph *graph, int64_t budget, RmPool *pool) {
  size_t ops = graph->ops.count, values = graph->values.count;
  Dtr d = {.graph = graph, .pool = pool, .budget = budget};
  d.until = RM_NEW_ARRAY(pool, int32_t, values);
  d.wanted = RM_NEW_ARRAY(pool, int32_t, values);
  d.locks = RM_NEW_ARRAY(pool, int32_t, values);
  d.used = RM_NEW_ARRAY(pool, int64_t, values);
  d.resident = RM_NEW_ARRAY(pool, bool, values);
  d.lines = rm_lines_create((int32_t)values, pool);
  d.class_of = RM_NEW_ARRAY(pool, int32_t, ops);
  for (size_t op = 0; op < ops; ++op)
    d.class_of[op] = -1;
  d.most_steps = MOST_RUNS * ops;
  if (d.most_steps > MOST_STEPS + ops)
    d.most_steps = MOST_STEPS + ops;
  list_readers(&d);
  find_uses(&d);
  find_wanted(&d);
  return d;
}

RmSchedule rm_strategy_dtr(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  RmPool *scratch = rm_pool_branch(pool);
  Dtr d = create(graph, problem->options->budget, scratch);
  for (d.now = 0; d.now < (int32_t)graph->ops.count; ++d.now)
    run_with_inputs(&d, d.now);
  RmSchedule made = {d.steps.items, (int32_t)d.steps.count};
  RmSchedule found = rm_schedule_copy(&made, pool);
  rm_pool_destroy(scratch);
  return found;
}
