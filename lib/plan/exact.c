/* lib/plan/exact.c - the best plan of a small graph, by A*.
 *
 * A state is the next op of the order and the set of values present. A move
 * runs that op, or runs an earlier one again; what is present stays until a
 * move needs its bytes, and then the sets let go are those of which each member
 * is needed, for letting go of less is never worse. Values that no op to come
 * can use go at once.
 *
 * A state's bound is what is paid plus what must be: the ops to come, the ops
 * that make what is missing (and what those miss), and at the step that needs
 * most, the cheapest bytes that cannot be held over it, or the min cut there.
 * States are taken by bound, then by runs, so that the first one at the end is
 * the best plan. A seed that costs no more than the least bound is proved.
 *
 * Invariant: of a state only the cheapest way to it is in the table. */
#include "plan/exact.h"

#include "plan/min-cut.h"
#include "plan/mip.h"

#include <string.h>

enum { MOST_VALUES = 64, MOST_OPS = 256, MOST_NODES = 4000000 };

#define NEVER (INT64_MAX / 4) /* a cost: no plan comes from here */

typedef struct Node {
  uint64_t set;
  int64_t cost;
  int32_t runs; /* of all ops so far */
  int32_t next; /* base step to come */
  int32_t parent, op;
  bool expanded;
} Node;

typedef struct Open {
  int64_t bound;
  int32_t runs, node;
  int64_t cost; /* of the node when it was put here */
} Open;

/* What an op made that may pass a step unread. */
typedef struct Passing {
  int32_t op;
  int64_t bytes, cost; /* cost: NEVER if it cannot be made again */
} Passing;

typedef struct Step {
  Passing *passing; /* the cheapest byte first */
  int32_t count;
  int64_t room; /* for what passes; the rest is the step's own */
} Step;

typedef struct Exact {
  const RmGraph *graph;
  RmPool *pool;
  int64_t budget;
  int32_t ops, bits;
  int32_t *bit; /* by value, -1: not in the set */
  int32_t maker[MOST_VALUES];
  int64_t bytes[MOST_VALUES];
  uint64_t *reads, *makes, *reads_later, *useful; /* by op; the last two one
                                                     longer */
  int64_t *alone;      /* by op: bytes of its results that nobody reads */
  int64_t *cost_later; /* by op: of it and all after */
  int64_t *cut_later;  /* by op: the greatest min cut from it on */
  Step *steps;
  RM_VEC(Node) nodes;
  RM_VEC(Open) open;
  int32_t *table; /* node + 1, by hash */
  size_t table_size;
  int64_t work, most_work;
  int64_t best_cost; /* of the best seed; INT64_MAX without */
  int32_t best_runs;
} Exact;

/*===-- What the graph says
 * ------------------------------------------------===*/

static bool is_held(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

static int32_t *number_values(const RmGraph *g, int32_t *count, RmPool *pool) {
  int32_t *bit = RM_NEW_ARRAY(pool, int32_t, g->values.count);
  memset(bit, -1, g->values.count * sizeof *bit);
  *count = 0;
  for (size_t i = 0; i < g->inputs.count; ++i) {
    int32_t value = g->inputs.items[i];
    if (is_held(g, value) && bit[value] < 0)
      bit[value] = (*count)++;
  }
  return bit;
}

static void read_ops(Exact *x) {
  const RmGraph *g = x->graph;
  for (int32_t op = 0; op < x->ops; ++op) {
    const RmOp *info = &g->ops.items[op];
    for (int32_t i = 0; i < info->num_inputs; ++i) {
      int32_t bit = x->bit[rm_op_inputs(g, op)[i]];
      x->reads[op] |= bit < 0 ? 0 : (uint64_t)1 << bit;
    }
    for (int32_t i = 0; i < info->num_results; ++i) {
      int32_t value = info->first_result + i, bit = x->bit[value];
      if (bit < 0) {
        x->alone[op] += is_held(g, value) ? g->values.items[value].bytes : 0;
        continue;
      }
      x->makes[op] |= (uint64_t)1 << bit;
      x->maker[bit] = op;
      x->bytes[bit] = g->values.items[value].bytes;
    }
  }
}

/* What ops to come read, and what those read that may have to run again. */
static void find_uses(Exact *x) {
  for (int32_t op = x->ops - 1; op >= 0; --op) {
    x->reads_later[op] = x->reads_later[op + 1] | x->reads[op];
    x->cost_later[op] = x->cost_later[op + 1] + x->graph->ops.items[op].cost;
    uint64_t useful = x->reads_later[op];
    for (int32_t u = op - 1; u >= 0; --u)
      if (x->graph->ops.items[u].recomputable && x->makes[u] & useful)
        useful |= x->reads[u];
    x->useful[op] = useful;
  }
}

static bool is_cheaper(const Passing *a, const Passing *b) {
  return (double)a->cost * (double)b->bytes <
         (double)b->cost * (double)a->bytes;
}

static void add_passing(Step *step, Passing new) {
  int32_t at = step->count++;
  for (; at && is_cheaper(&new, &step->passing[at - 1]); --at)
    step->passing[at] = step->passing[at - 1];
  step->passing[at] = new;
}

static int64_t own_bytes(const Exact *x, int32_t op) {
  int64_t bytes = x->alone[op] + x->graph->ops.items[op].workspace;
  for (int32_t b = 0; b < x->bits; ++b)
    if ((x->reads[op] | x->makes[op]) >> b & 1)
      bytes += x->bytes[b];
  return bytes;
}

static int64_t passing_bytes(const Exact *x, int32_t op, int32_t step) {
  uint64_t passing = x->makes[op] & x->reads_later[step + 1] & ~x->reads[step];
  int64_t bytes = 0;
  for (; passing; passing &= passing - 1)
    bytes += x->bytes[__builtin_ctzll(passing)];
  return bytes;
}

/* None where all that passes can be held. */
static void list_passing(Exact *x, int32_t step) {
  Step *s = &x->steps[step];
  *s = (Step){.passing = RM_NEW_ARRAY(x->pool, Passing, step),
              .room = x->budget - own_bytes(x, step)};
  int64_t all = 0;
  for (int32_t op = 0; op < step; ++op) {
    const RmOp *info = &x->graph->ops.items[op];
    int64_t bytes = passing_bytes(x, op, step);
    all += bytes;
    if (bytes)
      add_passing(
          s, (Passing){op, bytes, info->recomputable ? info->cost : NEVER});
  }
  if (all <= s->room)
    s->count = 0;
}

static void find_cuts(Exact *x) {
  for (int32_t op = x->ops - 1; op >= 0; --op) {
    list_passing(x, op);
    x->cut_later[op] = x->steps[op].room < 0 ? NEVER : x->cut_later[op + 1];
    if (!x->steps[op].count || x->cut_later[op] >= NEVER)
      continue;
    RmCutBound cut = rm_min_cut_bound(x->graph, x->budget, op, x->pool);
    int64_t extra = cut.feasible ? cut.extra : NEVER;
    if (extra > x->cut_later[op])
      x->cut_later[op] = extra;
  }
}

/*===-- Bounds of a state
 * --------------------------------------------------===*/

typedef struct Missing {
  int64_t cost;
  int32_t count;
  bool impossible;
  uint64_t ops[MOST_OPS / 64];
} Missing;

static bool has_op(const Missing *m, int32_t op) {
  return m->ops[op / 64] >> op % 64 & 1;
}

/* The ops that must run again: walking down, each makes something wanted that
 * is not there. */
static Missing find_missing(const Exact *x, int32_t next, uint64_t set) {
  Missing m = {0};
  uint64_t wanted = x->reads_later[next] & ~set;
  for (int32_t op = next - 1; op >= 0 && wanted; --op) {
    if (!(x->makes[op] & wanted))
      continue;
    m.impossible |= !x->graph->ops.items[op].recomputable;
    m.ops[op / 64] |= (uint64_t)1 << op % 64;
    m.cost += x->graph->ops.items[op].cost;
    ++m.count;
    wanted = (wanted & ~x->makes[op]) | (x->reads[op] & ~set);
  }
  return m;
}

/* The cheapest bytes that must pass the step unheld, part of the last ones;
 * what must be made again anyway is free. */
static int64_t price_step(const Step *step, const Missing *missing) {
  int64_t over = -step->room;
  double cost = 0;
  for (int32_t i = 0; i < step->count; ++i)
    if (!has_op(missing, step->passing[i].op))
      over += step->passing[i].bytes;
  for (int32_t i = 0; i < step->count && over > 0; ++i) {
    const Passing *p = &step->passing[i];
    if (has_op(missing, p->op))
      continue;
    double part = over < p->bytes ? (double)over / (double)p->bytes : 1;
    over -= p->bytes;
    cost += part * (double)p->cost;
  }
  cost *= 1 - 1e-12; /* sums of doubles are not exact */
  return over > 0 || cost >= (double)NEVER * 0.99 ? NEVER : (int64_t)cost;
}

/* At least NEVER: no plan comes from here. */
static int64_t bound_rest(Exact *x, int32_t next, uint64_t set,
                          int32_t *again) {
  Missing missing = find_missing(x, next, set);
  *again = missing.count;
  if (missing.impossible)
    return NEVER;
  int64_t most = x->cut_later[next] - missing.cost;
  most = most > 0 ? most : 0;
  for (int32_t op = next; op < x->ops; ++op) {
    if (!x->steps[op].count)
      continue;
    int64_t price = price_step(&x->steps[op], &missing);
    most = price > most ? price : most;
    x->work += x->steps[op].count;
  }
  x->work += 20;
  return missing.cost + most + x->cost_later[next];
}

/*===-- States
 * -------------------------------------------------------------===*/

static size_t slot_of(const Exact *x, int32_t next, uint64_t set) {
  uint64_t h = (set ^ (uint64_t)next << 57) * 0x9e3779b97f4a7c15u;
  h = (h ^ h >> 29 ^ (uint64_t)next) * 0xbf58476d1ce4e5b9u;
  size_t at = (size_t)(h ^ h >> 32) % x->table_size;
  for (; x->table[at]; at = (at + 1) % x->table_size) {
    const Node *node = &x->nodes.items[x->table[at] - 1];
    if (node->set == set && node->next == next)
      break;
  }
  return at;
}

static void grow_table(Exact *x) {
  x->table_size = 2 * x->table_size + 1021;
  x->table = RM_NEW_ARRAY(x->pool, int32_t, x->table_size);
  for (size_t i = 0; i < x->nodes.count; ++i) {
    const Node *node = &x->nodes.items[i];
    x->table[slot_of(x, node->next, node->set)] = (int32_t)i + 1;
  }
}

static bool comes_first(const Exact *x, const Open *a, const Open *b) {
  if (a->bound != b->bound)
    return a->bound < b->bound;
  if (a->runs != b->runs)
    return a->runs < b->runs;
  int32_t a_next = x->nodes.items[a->node].next;
  int32_t b_next = x->nodes.items[b->node].next;
  return a_next != b_next ? a_next > b_next : a->node < b->node;
}

static void push(Exact *x, Open new) {
  rm_vec_push(x->pool, &x->open, new);
  size_t at = x->open.count - 1;
  for (; at && comes_first(x, &new, &x->open.items[(at - 1) / 2]);
       at = (at - 1) / 2)
    x->open.items[at] = x->open.items[(at - 1) / 2];
  x->open.items[at] = new;
}

static Open pop(Exact *x) {
  Open top = x->open.items[0], last = x->open.items[--x->open.count];
  size_t at = 0, child, count = x->open.count;
  while ((child = 2 * at + 1) < count) {
    if (child + 1 < count &&
        comes_first(x, &x->open.items[child + 1], &x->open.items[child]))
      ++child;
    if (!comes_first(x, &x->open.items[child], &last))
      break;
    x->open.items[at] = x->open.items[child];
    at = child;
  }
  if (count)
    x->open.items[at] = last;
  return top;
}

static bool is_cheaper_node(int64_t cost, int32_t runs, const Node *node) {
  return cost != node->cost ? cost < node->cost : runs < node->runs;
}

static void reach(Exact *x, Node new) {
  if (2 * x->nodes.count >= x->table_size)
    grow_table(x);
  size_t slot = slot_of(x, new.next, new.set);
  int32_t at = x->table[slot] - 1, again;
  if (at >= 0 && !is_cheaper_node(new.cost, new.runs, &x->nodes.items[at]))
    return;
  int64_t rest = bound_rest(x, new.next, new.set, &again);
  Open open = {.bound = new.cost + rest,
               .runs = new.runs + again + x->ops - new.next,
               .cost = new.cost};
  if (rest >= NEVER || open.bound > x->best_cost ||
      (open.bound == x->best_cost && open.runs >= x->best_runs))
    return;
  if (at < 0) {
    at = (int32_t)x->nodes.count;
    rm_vec_push(x->pool, &x->nodes, new);
    x->table[slot] = at + 1;
  }
  x->nodes.items[at] = new;
  open.node = at;
  push(x, open);
}

/*===-- Moves
 * --------------------------------------------------------------===*/

typedef struct Move {
  Node to;         /* after the move, nothing let go */
  Missing missing; /* as yet */
  int64_t bound;   /* of all plans from there */
  int32_t victims[MOST_VALUES], count;
  int64_t rest[MOST_VALUES + 1]; /* bytes of the victims from there on */
} Move;

/* What it costs to let go of one more value: its op must run again if the
 * value is read and nothing else of that op is gone already. */
static int64_t price_victim(const Exact *x, const Move *m, int32_t victim,
                            uint64_t gone) {
  int32_t maker = x->maker[victim];
  if (!(x->reads_later[m->to.next] >> victim & 1) ||
      x->makes[maker] & gone & x->reads_later[m->to.next] ||
      has_op(&m->missing, maker))
    return 0;
  const RmOp *op = &x->graph->ops.items[maker];
  return op->recomputable ? op->cost : NEVER;
}

static void reach_without(Exact *x, const Move *m, uint64_t gone) {
  Node to = m->to;
  to.set &= ~gone & x->useful[to.next];
  reach(x, to);
}

/* Each set of victims of at least `over` bytes from which none can be spared:
 * the sum without the smallest of them is less. */
static void let_go(Exact *x, const Move *m, int32_t from, uint64_t gone,
                   int64_t over, int64_t smallest, int64_t price) {
  x->work += 4;
  if (over <= 0) {
    if (over + smallest > 0)
      reach_without(x, m, gone);
    return;
  }
  for (int32_t i = from; i < m->count && over <= m->rest[i]; ++i) {
    int32_t victim = m->victims[i];
    int64_t bytes = x->bytes[victim];
    int64_t with = price + price_victim(x, m, victim, gone);
    if (with < NEVER && m->bound + with <= x->best_cost &&
        x->work < x->most_work)
      let_go(x, m, i + 1, gone | (uint64_t)1 << victim, over - bytes,
             bytes < smallest ? bytes : smallest, with);
  }
}

static void let_go_of_some(Exact *x, Move *m, int64_t over) {
  m->missing = find_missing(x, m->to.next, m->to.set);
  m->bound = m->to.cost + m->missing.cost + x->cost_later[m->to.next];
  for (int32_t i = m->count; i-- > 0;)
    m->rest[i] = m->rest[i + 1] + x->bytes[m->victims[i]];
  if (!m->missing.impossible)
    let_go(x, m, 0, 0, over, INT64_MAX / 2, 0);
}

static void run(Exact *x, int32_t from, int32_t op) {
  const Node *node = &x->nodes.items[from];
  uint64_t with = node->set | x->makes[op];
  uint64_t fixed = x->reads[op] | x->makes[op];
  int64_t bytes = x->alone[op] + x->graph->ops.items[op].workspace;
  Move m = {.to = {.set = with,
                   .cost = node->cost + x->graph->ops.items[op].cost,
                   .runs = node->runs + 1,
                   .next = node->next + (op == node->next),
                   .parent = from,
                   .op = op}};
  for (uint64_t rest = with; rest; rest &= rest - 1) {
    int32_t b = __builtin_ctzll(rest);
    bytes += x->bytes[b];
    if (!(fixed >> b & 1) && x->bytes[b])
      m.victims[m.count++] = b;
  }
  if (bytes > x->budget) {
    let_go_of_some(x, &m, bytes - x->budget);
    return;
  }
  m.to.set &= x->useful[m.to.next];
  reach(x, m.to);
}

static void expand(Exact *x, int32_t node) {
  x->nodes.items[node].expanded = true;
  int32_t next = x->nodes.items[node].next;
  uint64_t set = x->nodes.items[node].set;
  for (int32_t op = next; op >= 0; --op) {
    if (x->reads[op] & ~set)
      continue;
    if (op < next && (!x->graph->ops.items[op].recomputable ||
                      !(x->makes[op] & ~set & x->useful[next])))
      continue;
    run(x, node, op);
  }
}

/*===-- The search
 * ---------------------------------------------------------===*/

static RmSchedule trace(const Exact *x, int32_t node) {
  int32_t count = 0;
  for (int32_t i = node; x->nodes.items[i].parent >= 0;
       i = x->nodes.items[i].parent)
    ++count;
  RmSchedule schedule = {RM_NEW_ARRAY(x->pool, int32_t, count), count};
  for (; x->nodes.items[node].parent >= 0; node = x->nodes.items[node].parent)
    schedule.steps[--count] = x->nodes.items[node].op;
  return schedule;
}

static void take_seed(Exact *x, RmExact *result, const RmSchedule *seed) {
  RmMeasure m = rm_schedule_measure(x->graph, seed, x->pool);
  if (m.peak > x->budget || m.cost > x->best_cost ||
      (m.cost == x->best_cost && seed->count >= x->best_runs))
    return;
  x->best_cost = m.cost;
  x->best_runs = seed->count;
  result->schedule = *seed;
}

static void take_seeds(Exact *x, const RmProblem *problem, RmExact *result) {
  RmSchedule all = rm_schedule_identity(x->graph, x->pool);
  x->best_cost = INT64_MAX;
  take_seed(x, result, &all);
  for (int32_t i = 0; i < problem->num_seeds; ++i)
    take_seed(x, result, &problem->seeds[i]);
}

static void prepare(Exact *x) {
  x->reads = RM_NEW_ARRAY(x->pool, uint64_t, x->ops);
  x->makes = RM_NEW_ARRAY(x->pool, uint64_t, x->ops);
  x->reads_later = RM_NEW_ARRAY(x->pool, uint64_t, x->ops + 1);
  x->useful = RM_NEW_ARRAY(x->pool, uint64_t, x->ops + 1);
  x->alone = RM_NEW_ARRAY(x->pool, int64_t, x->ops);
  x->cost_later = RM_NEW_ARRAY(x->pool, int64_t, x->ops + 1);
  x->cut_later = RM_NEW_ARRAY(x->pool, int64_t, x->ops + 1);
  x->steps = RM_NEW_ARRAY(x->pool, Step, x->ops);
  read_ops(x);
  find_uses(x);
  find_cuts(x);
}

static bool is_stale(const Exact *x, const Open *top) {
  const Node *node = &x->nodes.items[top->node];
  return node->expanded || node->cost != top->cost;
}

/* The least bound of what is open is a bound of all; what a seed costs is one
 * where nothing is open that could be cheaper. */
static void search(Exact *x, RmExact *result) {
  reach(x, (Node){.parent = -1, .op = -1});
  while (x->open.count) {
    Open top = pop(x);
    if (is_stale(x, &top))
      continue;
    result->cost_bound = top.bound;
    if (x->nodes.items[top.node].next == x->ops) {
      result->schedule = trace(x, top.node);
      result->proved = true;
      return;
    }
    expand(x, top.node);
    if (x->work >= x->most_work || x->nodes.count > MOST_NODES)
      return;
  }
  result->cost_bound = x->best_cost;
  result->proved = true;
}

/* Where a solver comes next the last of it is better spent there. */
static int64_t work_of(int effort) {
  static const int64_t most[] = {4000000, 200000000, 1500000000, 8000000000};
  if (effort >= 3 && rm_mip_is_there())
    return most[2];
  return most[effort < 0 ? 0 : effort > 3 ? 3 : effort];
}

bool rm_exact_applies(const RmGraph *graph, RmPool *pool) {
  int32_t bits;
  if (graph->ops.count > MOST_OPS)
    return false;
  number_values(graph, &bits, pool);
  return bits <= MOST_VALUES;
}

RmExact rm_exact_plan(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  Exact x = {.graph = graph,
             .pool = pool,
             .budget = problem->options->budget,
             .ops = (int32_t)graph->ops.count,
             .most_work = work_of(problem->options->effort)};
  RmExact result = {0};
  take_seeds(&x, problem, &result);
  result.proved = result.schedule.steps && x.best_cost <= problem->enough;
  result.cost_bound = result.proved ? x.best_cost : 0;
  if (result.proved || !rm_exact_applies(graph, pool))
    return result;
  x.bit = number_values(graph, &x.bits, pool);
  prepare(&x);
  search(&x, &result);
  return result;
}

static bool repeats_too_often(const RmProblem *problem, const RmSchedule *found,
                              RmPool *pool) {
  int32_t most = problem->options->max_recompute;
  int32_t *runs = RM_NEW_ARRAY(pool, int32_t, problem->graph->ops.count);
  for (int32_t i = 0; most && i < found->count; ++i)
    if (++runs[found->steps[i]] > most)
      return true;
  return false;
}

RmSchedule rm_strategy_exact(const RmProblem *problem, RmPool *pool) {
  RmExact exact = rm_exact_plan(problem, pool);
  if (exact.schedule.steps &&
      !repeats_too_often(problem, &exact.schedule, pool))
    return exact.schedule;
  if (problem->num_seeds)
    return problem->seeds[0];
  return rm_schedule_identity(problem->graph, pool);
}
