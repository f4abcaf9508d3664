/* lib/plan/epoch-paths.c - what a relaxed plan does not see between epochs.
 *
 * In parts, a relaxed plan cheats: it holds a little of a value and from that
 * makes a little of a result in each of many epochs, until the result is there
 * as a whole. No plan does, and this says so. From step i on, let value u be
 * read, or be there, in a later epoch j. Then u was there at i, or its op ran
 * in between; that read each of its inputs, so any one of them, v, was there at
 * i or its op ran in between; and so on along any path u, v, ..., w:
 *
 *   1 (or u at j) <= u at i + v at i + ... + w at i + runs of w's op in (i, j]
 *
 * All values of the path are made before step i. There are very many of these
 * rows; those that the relaxed plan breaks most are found by one sweep over the
 * ops for each i and j, added, and it is solved again.
 *
 * A variable that is not in the programme stands for what no plan needs, 0. */

#include "plan/epoch-paths.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_ROUNDS = 40,
  MOST_ROWS = 400,       /* in a round */
  MOST_SWEEPS = 40000000 /* ops looked at in a round */
};

#define MOST_WORK (int64_t)30000000000 /* iterations times size, in all */

#define LEAST_BREACH 0.03

/* A value in an epoch: what a row is for. */
typedef struct Breach {
  double amount;
  int32_t value, epoch, from;
} Breach;

typedef struct Paths {
  const RmEpochTable *t;
  RmPool *pool;
  const double *x;     /* the relaxed plan */
  bool *is_read;       /* by value and epoch: by a first run */
  double *runs;        /* by op: in the epochs at hand */
  double *reach;       /* by op: how much of it can be made in them */
  int32_t *way;        /* by op: the input that limits it, -1: its runs do */
  size_t places;       /* of values and epochs */
  Breach *worst_until; /* by value and epoch: where it is read, or there */
  Breach *worst_from;  /* by value and step */
  RM_VEC(Breach) found;
} Paths;

static bool is_held(const RmGraph *g, int32_t value) {
  const RmValue *v = &g->values.items[value];
  return v->op >= 0 && v->counted && v->bytes > 0;
}

static int64_t place(const Paths *p, int32_t i, int32_t epoch) {
  return (int64_t)i * (p->t->count + 1) + epoch;
}

static double amount(const Paths *p, int32_t variable) {
  return variable < 0 ? 0 : p->x[variable];
}

static double at_step(const Paths *p, int32_t value, int32_t epoch) {
  return amount(p, p->t->there[place(p, value, epoch)]);
}

/* How much of a value there can be after step `from`. */
static double reach_value(const Paths *p, int32_t value, int32_t from) {
  return at_step(p, value, from) +
         p->reach[p->t->graph->values.items[value].op];
}

/* Of the ops up to step `from`, by `runs`. */
static void sweep(Paths *p, int32_t from) {
  const RmGraph *g = p->t->graph;
  for (int32_t op = 0; op <= p->t->steps[from]; ++op) {
    p->reach[op] = p->runs[op];
    p->way[op] = -1;
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t value = rm_op_inputs(g, op)[i];
      if (!is_held(g, value))
        continue;
      double reach = reach_value(p, value, from);
      if (reach < p->reach[op] - 1e-7) {
        p->reach[op] = reach;
        p->way[op] = value;
      }
    }
  }
}

/*===-- Breaches ----------------------------------------------------------===*/

static void keep_worst(Breach *worst, const Breach *b) {
  if (b->amount > worst->amount)
    *worst = *b;
}

static void note_breaches(Paths *p, int32_t from, int32_t epoch) {
  const RmGraph *g = p->t->graph;
  for (int32_t value = 0; value < (int32_t)g->values.count; ++value) {
    int64_t at = place(p, value, epoch);
    if (!is_held(g, value) || p->t->epoch[g->values.items[value].op] > from)
      continue;
    double wanted = p->is_read[at] ? 1 : amount(p, p->t->there[at]);
    if (wanted <= LEAST_BREACH)
      continue;
    Breach b = {wanted - reach_value(p, value, from), value, epoch, from};
    if (b.amount <= LEAST_BREACH)
      continue;
    keep_worst(&p->worst_until[at], &b);
    keep_worst(&p->worst_from[place(p, value, from)], &b);
  }
}

static void add_runs(Paths *p, int32_t epoch) {
  for (int32_t op = 0; op < (int32_t)p->t->graph->ops.count; ++op)
    p->runs[op] += amount(p, p->t->again[place(p, op, epoch)]);
}

static void clear_runs(Paths *p) {
  memset(p->runs, 0, p->t->graph->ops.count * sizeof *p->runs);
}

/* From all steps, or from each of so many that it does not take too long. */
static void sweep_all(Paths *p) {
  int64_t ops = (int64_t)p->t->graph->ops.count;
  int64_t work = ops * p->t->count * p->t->count;
  int32_t apart = (int32_t)(work / MOST_SWEEPS) + 1;
  for (int32_t from = 0; from < p->t->count; from += apart) {
    clear_runs(p);
    for (int32_t epoch = from + 1; epoch <= p->t->count; ++epoch) {
      add_runs(p, epoch);
      sweep(p, from);
      note_breaches(p, from, epoch);
    }
  }
}

/* Of each value the worst until each epoch and the worst from each step. */
static void find_breaches(Paths *p) {
  size_t bytes = p->places * sizeof(Breach);
  memset(p->worst_until, 0, bytes);
  memset(p->worst_from, 0, bytes);
  sweep_all(p);
  p->found.count = 0;
  for (size_t i = 0; i < p->places; ++i) {
    const Breach *until = &p->worst_until[i], *from = &p->worst_from[i];
    if (until->amount > 0)
      rm_vec_push(p->pool, &p->found, *until);
    if (from->amount > 0 &&
        p->worst_until[place(p, from->value, from->epoch)].from != from->from)
      rm_vec_push(p->pool, &p->found, *from);
  }
}

static int compare_breaches(const void *a, const void *b) {
  const Breach *x = a, *y = b;
  if (x->amount != y->amount)
    return x->amount > y->amount ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  if (x->epoch != y->epoch)
    return x->epoch < y->epoch ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

/*===-- Rows --------------------------------------------------------------===*/

static void add_term(const Paths *p, int32_t variable, double factor) {
  if (variable >= 0)
    rm_mip_term(p->t->mip, variable, factor);
}

static void add_row(Paths *p, const Breach *b) {
  const RmEpochTable *t = p->t;
  bool is_read = p->is_read[place(p, b->value, b->epoch)];
  int32_t value = b->value, op;
  clear_runs(p);
  for (int32_t k = b->from + 1; k <= b->epoch; ++k)
    add_runs(p, k);
  sweep(p, b->from);
  if (!is_read)
    add_term(p, t->there[place(p, b->value, b->epoch)], -1);
  for (;; value = p->way[op]) {
    add_term(p, t->there[place(p, value, b->from)], 1);
    op = t->graph->values.items[value].op;
    if (p->way[op] < 0)
      break;
  }
  for (int32_t k = b->from + 1; k <= b->epoch; ++k)
    add_term(p, t->again[place(p, op, k)], 1);
  rm_mip_row(t->mip, is_read, RM_MIP_FREE);
}

static bool add_rows(Paths *p) {
  find_breaches(p);
  qsort(p->found.items, p->found.count, sizeof *p->found.items,
        compare_breaches);
  for (size_t i = 0; i < p->found.count && i < MOST_ROWS; ++i)
    add_row(p, &p->found.items[i]);
  return p->found.count > 0;
}

/*===-- All of it ---------------------------------------------------------===*/

static void find_reads(Paths *p) {
  const RmGraph *g = p->t->graph;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      p->is_read[place(p, rm_op_inputs(g, op)[i], p->t->epoch[op])] = true;
}

static Paths create(const RmEpochTable *table, RmPool *pool) {
  size_t ops = table->graph->ops.count;
  Paths p = {.t = table, .pool = pool};
  p.places = table->graph->values.count * (size_t)(table->count + 1);
  p.is_read = RM_NEW_ARRAY(pool, bool, p.places);
  p.runs = RM_NEW_ARRAY(pool, double, ops);
  p.reach = RM_NEW_ARRAY(pool, double, ops);
  p.way = RM_NEW_ARRAY(pool, int32_t, ops);
  p.worst_until = RM_NEW_ARRAY(pool, Breach, p.places);
  p.worst_from = RM_NEW_ARRAY(pool, Breach, p.places);
  find_reads(&p);
  return p;
}

void rm_epoch_paths(const RmEpochTable *table, double enough, RmPool *pool) {
  Paths p = create(table, pool);
  int32_t first = rm_mip_rows(table->mip);
  int64_t iterations = MOST_WORK / (rm_mip_size(table->mip) + 1);
  double cost = 0;
  for (int round = 0; round < MOST_ROUNDS; ++round) {
    p.x = rm_mip_relax(table->mip, &iterations, &cost);
    if (!p.x || cost >= enough || !add_rows(&p))
      break;
  }
  rm_mip_drop_slack(table->mip, first);
}
