/* lib/plan/epochs.c - what whole decisions cost between steps, by a solver.
 *
 * Some steps, ops at their first runs, divide a plan into epochs: epoch k ends
 * with step k. Of each value we ask whether it is there at a step, of each op
 * whether it runs again in an epoch:
 *
 *   - what is there at a step was there at the one before or was made between;
 *   - what an op reads in an epoch was there at its beginning or is made in it;
 *   - what is there at a step fits the budget;
 *   - what is there at two steps in a row and not made between is held, beside
 *     each op that runs between, with what that reads and makes.
 *
 * All plans meet this, whatever the steps, so the least cost is a bound. With a
 * step for each op it is the truth but for the order of runs in an epoch. What
 * it costs in parts is far below that; rows of epoch-paths.c mend most of it.
 *
 * needs: no views, program order of first runs */

#include "plan/epochs.h"
#include "plan/budget-bound.h"
#include "plan/epoch-paths.h"
#include "plan/mip.h"
#include "support/divisor.h"

#include <string.h>

typedef struct Epochs {
  const RmGraph *g;
  RmPool *pool;
  RmMip *mip;
  int64_t budget, cost_unit;
  bool short_rows;
  double unit;   /* of bytes: what is 1 in rows */
  bool is_exact; /* all bytes are multiples of it */
  int32_t count;
  const int32_t *steps;
  int32_t *epoch; /* by op: in which it runs first */
  int32_t *last;  /* by op: after which nobody can use a run of it */
  int32_t *there; /* by value and epoch: its variable, -1: none */
  int32_t *again; /* by op and epoch */
  int32_t *held;  /* by value, in the epoch at hand */
  int32_t all;    /* held together, as a part of the most; -1: not used */
  bool *beside;   /* by value, of the run at hand */
} Epochs;

static bool is_held(const RmGraph *g, int32_t value) {
  const RmValue *v = &g->values.items[value];
  return v->op >= 0 && v->counted && v->bytes > 0;
}

static int32_t there(const Epochs *e, int32_t value, int32_t epoch) {
  return e->there[(int64_t)value * (e->count + 1) + epoch];
}

static int32_t again(const Epochs *e, int32_t op, int32_t epoch) {
  return e->again[(int64_t)op * (e->count + 1) + epoch];
}

static double amount(const Epochs *e, int64_t bytes) {
  return (double)bytes / e->unit;
}

static double bytes_of(const Epochs *e, int32_t value) {
  return amount(e, e->g->values.items[value].bytes);
}

/* Whole numbers are exact; parts of the budget are loosened beyond the solver's
 * tolerances. */
static double room_of(const Epochs *e, int64_t bytes) {
  return amount(e, bytes) * (e->is_exact ? 1 : 1 + 1e-7);
}

/*===-- Epochs and units --------------------------------------------------===*/

static void find_epochs(Epochs *e) {
  int32_t epoch = 0;
  for (int32_t op = 0; op < (int32_t)e->g->ops.count; ++op) {
    while (epoch < e->count && op > e->steps[epoch])
      ++epoch;
    e->epoch[op] = e->last[op] = epoch;
  }
}

/* An op that runs again may use runs of what it reads in its last epoch. */
static void find_last_uses(Epochs *e) {
  const RmGraph *g = e->g;
  for (int32_t op = (int32_t)g->ops.count - 1; op >= 0; --op) {
    int32_t last = g->ops.items[op].recomputable ? e->last[op] : e->epoch[op];
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t value = rm_op_inputs(g, op)[i];
      int32_t maker = g->values.items[value].op;
      if (is_held(g, value) && e->last[maker] < last)
        e->last[maker] = last;
    }
  }
}

/* Small whole factors where bytes have a common unit. */
static void find_units(Epochs *e) {
  int64_t unit = 0;
  for (size_t i = 0; i < e->g->ops.count; ++i)
    unit = rm_common_divisor(unit, e->g->ops.items[i].workspace);
  for (size_t i = 0; i < e->g->values.count; ++i)
    if (is_held(e->g, (int32_t)i))
      unit = rm_common_divisor(unit, e->g->values.items[i].bytes);
  unit += unit == 0;
  e->budget -= e->budget % unit;
  e->is_exact = e->budget / unit <= 1000000;
  e->unit = (double)(e->is_exact ? unit : e->budget);
  e->cost_unit = 0;
  for (size_t i = 0; i < e->g->ops.count; ++i)
    e->cost_unit = rm_common_divisor(e->cost_unit, e->g->ops.items[i].cost);
  e->cost_unit += e->cost_unit == 0;
}

/*===-- Variables ---------------------------------------------------------===*/

static void add_again(Epochs *e, int32_t op) {
  const RmOp *o = &e->g->ops.items[op];
  int32_t *place = &e->again[(int64_t)op * (e->count + 1)];
  for (int32_t k = e->epoch[op] + 1; k <= e->last[op] && o->recomputable; ++k)
    place[k] = rm_mip_variable(e->mip, o->cost / e->cost_unit, true);
}

static void add_there(Epochs *e, int32_t value) {
  int32_t op = e->g->values.items[value].op;
  int32_t *place = &e->there[(int64_t)value * (e->count + 1)];
  for (int32_t k = e->epoch[op]; k < e->last[op]; ++k)
    place[k] = rm_mip_variable(e->mip, 0, true);
}

/* What the step reads and makes. */
static void add_there_at_step(Epochs *e, int32_t value, int32_t epoch) {
  int32_t *place = &e->there[(int64_t)value * (e->count + 1) + epoch];
  if (!is_held(e->g, value))
    return;
  if (*place < 0)
    *place = rm_mip_variable(e->mip, 0, true);
  rm_mip_fix_at_one(e->mip, *place);
}

static void add_variables(Epochs *e) {
  const RmGraph *g = e->g;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    add_again(e, op);
  for (int32_t value = 0; value < (int32_t)g->values.count; ++value)
    if (is_held(g, value))
      add_there(e, value);
  for (int32_t k = 0; k < e->count; ++k) {
    const RmOp *o = &g->ops.items[e->steps[k]];
    for (int32_t i = 0; i < o->num_inputs; ++i)
      add_there_at_step(e, rm_op_inputs(g, e->steps[k])[i], k);
    for (int32_t i = 0; i < o->num_results; ++i)
      add_there_at_step(e, o->first_result + i, k);
  }
}

/*===-- Rows --------------------------------------------------------------===*/

static void add_term(Epochs *e, int32_t variable, double factor) {
  if (variable >= 0)
    rm_mip_term(e->mip, variable, factor);
}

/* `variable` (-1: one) is at most what was there, or is made again. */
static void need(Epochs *e, int32_t variable, int32_t value, int32_t epoch) {
  add_term(e, variable, -1);
  add_term(e, there(e, value, epoch - 1), 1);
  add_term(e, again(e, e->g->values.items[value].op, epoch), 1);
  rm_mip_row(e->mip, variable < 0 ? 1 : 0, RM_MIP_FREE);
}

static void need_inputs(Epochs *e, int32_t op, int32_t variable,
                        int32_t epoch) {
  for (int32_t i = 0; i < e->g->ops.items[op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(e->g, op)[i];
    if (is_held(e->g, value) && e->epoch[e->g->values.items[value].op] < epoch)
      need(e, variable, value, epoch);
  }
}

static void add_needs(Epochs *e) {
  const RmGraph *g = e->g;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    need_inputs(e, op, -1, e->epoch[op]);
    for (int32_t k = e->epoch[op] + 1; k <= e->last[op]; ++k)
      if (again(e, op, k) >= 0)
        need_inputs(e, op, again(e, op, k), k);
  }
  for (int32_t value = 0; value < (int32_t)g->values.count; ++value)
    if (is_held(g, value))
      for (int32_t k = e->epoch[g->values.items[value].op] + 1; k < e->count;
           ++k)
        if (there(e, value, k) >= 0)
          need(e, there(e, value, k), value, k);
}

static void fit_step(Epochs *e, int32_t epoch) {
  int64_t workspace = e->g->ops.items[e->steps[epoch]].workspace;
  for (int32_t value = 0; value < (int32_t)e->g->values.count; ++value)
    add_term(e, there(e, value, epoch), bytes_of(e, value));
  rm_mip_row(e->mip, -RM_MIP_FREE, room_of(e, e->budget - workspace));
}

/*===-- What is held through an epoch -------------------------------------===*/

static double find_held(Epochs *e, int32_t epoch) {
  double most = 0;
  for (int32_t value = 0; value < (int32_t)e->g->values.count; ++value) {
    e->held[value] = -1;
    int32_t before = there(e, value, epoch - 1);
    int32_t after = there(e, value, epoch);
    if (before < 0 || after < 0)
      continue;
    e->held[value] = rm_mip_variable(e->mip, 0, false);
    add_term(e, e->held[value], 1);
    add_term(e, before, -1);
    add_term(e, after, -1);
    add_term(e, again(e, e->g->values.items[value].op, epoch), 1);
    rm_mip_row(e->mip, -1, RM_MIP_FREE);
    most += bytes_of(e, value);
  }
  return most;
}

static bool is_of_op(const RmGraph *g, int32_t value, int32_t op) {
  if (g->values.items[value].op == op)
    return true;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
    if (rm_op_inputs(g, op)[i] == value)
      return true;
  return false;
}

/* One variable for all that is held keeps the rows of large programmes short.
 */
static void add_up_held(Epochs *e, double most) {
  e->all = -1;
  if (!e->short_rows || most <= 0)
    return;
  e->all = rm_mip_variable(e->mip, 0, false);
  rm_mip_term(e->mip, e->all, most);
  for (int32_t value = 0; value < (int32_t)e->g->values.count; ++value)
    add_term(e, e->held[value], -bytes_of(e, value));
  rm_mip_row(e->mip, 0, RM_MIP_FREE);
}

/* The terms of what is held beside a run of the op. */
static void add_beside(Epochs *e, double most) {
  add_term(e, e->all, most);
  for (int32_t value = 0; value < (int32_t)e->g->values.count; ++value)
    if (e->all < 0 && e->beside[value])
      rm_mip_term(e->mip, e->held[value], bytes_of(e, value));
    else if (e->all >= 0 && e->held[value] >= 0 && !e->beside[value])
      rm_mip_term(e->mip, e->held[value], -bytes_of(e, value));
}

/* By value: held beside a run of the op; their bytes. */
static double hold_beside(Epochs *e, int32_t op) {
  double beside = 0;
  for (int32_t value = 0; value < (int32_t)e->g->values.count; ++value) {
    e->beside[value] = e->held[value] >= 0 && !is_of_op(e->g, value, op);
    beside += e->beside[value] ? bytes_of(e, value) : 0;
  }
  return beside;
}

/* `variable` (-1: certainly) says whether the op runs; `most` is all that may
 * be held. */
static void fit_run(Epochs *e, int32_t op, int32_t variable, double most) {
  double own = amount(e, rm_budget_own_bytes(e->g, op));
  double room = room_of(e, e->budget) - own;
  if (most <= room)
    return;
  double beside = hold_beside(e, op);
  if (beside <= room)
    return;
  add_beside(e, most);
  add_term(e, variable, beside - room);
  rm_mip_row(e->mip, -RM_MIP_FREE, variable < 0 ? room : beside);
}

/* What has no room beside the run by itself, said more sharply. */
static void exclude_run(Epochs *e, int32_t op, int32_t variable) {
  const RmGraph *g = e->g;
  double room = room_of(e, e->budget) - amount(e, rm_budget_own_bytes(g, op));
  for (int32_t value = 0; value < (int32_t)g->values.count; ++value) {
    if (e->held[value] < 0 || bytes_of(e, value) <= room ||
        is_of_op(g, value, op))
      continue;
    add_term(e, e->held[value], 1);
    add_term(e, variable, 1);
    rm_mip_row(e->mip, -RM_MIP_FREE, variable < 0 ? 0 : 1);
  }
}

static void fit_epoch(Epochs *e, int32_t epoch) {
  double most = find_held(e, epoch);
  add_up_held(e, most);
  for (int32_t op = e->steps[epoch - 1] + 1; op < e->steps[epoch]; ++op)
    fit_run(e, op, -1, most);
  for (int32_t op = 0; op <= e->steps[epoch]; ++op)
    if (again(e, op, epoch) >= 0) {
      exclude_run(e, op, again(e, op, epoch));
      fit_run(e, op, again(e, op, epoch), most);
    }
}

/*===-- All of it ---------------------------------------------------------===*/

static Epochs create(const RmGraph *g, int64_t budget, const int32_t *steps,
                     int32_t count, RmPool *pool) {
  size_t ops = g->ops.count, values = g->values.count;
  Epochs e = {.g = g, .pool = pool, .budget = budget};
  e.mip = rm_mip_create(pool);
  e.count = count;
  e.steps = steps;
  e.epoch = RM_NEW_ARRAY(pool, int32_t, ops);
  e.last = RM_NEW_ARRAY(pool, int32_t, ops);
  e.held = RM_NEW_ARRAY(pool, int32_t, values);
  e.beside = RM_NEW_ARRAY(pool, bool, values);
  size_t table = (size_t)(count + 1) * sizeof(int32_t);
  e.there = memset(rm_pool_alloc(pool, values * table), -1, values * table);
  e.again = memset(rm_pool_alloc(pool, ops * table), -1, ops * table);
  find_epochs(&e);
  find_last_uses(&e);
  find_units(&e);
  return e;
}

/* Whether it costs `enough`, or half of what is missing, and so on. */
static int64_t ask(Epochs *e, int64_t enough, const RmEpochs *limits) {
  int64_t size = rm_mip_size(e->mip), nodes = limits->nodes, bound = 0;
  int64_t known = limits->known / e->cost_unit;
  if (nodes * size > limits->nodes_times_size)
    nodes = limits->nodes_times_size / size + 1;
  for (int32_t i = 0; i < limits->questions && known < enough; ++i) {
    int64_t found = rm_mip_bound(e->mip, enough, (int32_t)nodes);
    bound = found > bound ? found : bound;
    known = bound > known ? bound : known;
    enough = known + (enough - known) / 2;
    nodes = nodes / 2 + 1;
  }
  return bound;
}

static int64_t solve(Epochs *e, const RmEpochs *limits) {
  add_variables(e);
  add_needs(e);
  for (int32_t k = 0; k < e->count; ++k)
    fit_step(e, k);
  for (int32_t k = 1; k < e->count && rm_mip_size(e->mip) <= limits->size; ++k)
    fit_epoch(e, k);
  if (rm_mip_size(e->mip) > limits->size)
    return -1;
  int64_t enough = limits->enough / e->cost_unit;
  enough += limits->enough % e->cost_unit != 0;
  RmEpochTable table = {e->g,     e->mip,   e->count, e->steps,
                        e->epoch, e->there, e->again};
  rm_epoch_paths(&table, (double)enough, e->pool);
  return ask(e, enough, limits) * e->cost_unit;
}

int64_t rm_epochs_bound(const RmGraph *g, int64_t budget, const int32_t *steps,
                        int32_t count, const RmEpochs *limits, RmPool *pool) {
  int64_t tables = (int64_t)(g->ops.count + g->values.count) * (count + 1);
  if (!rm_mip_is_there() || budget <= 0)
    return 0;
  if (tables > 4 * limits->size)
    return -1;
  RmPool *scratch = rm_pool_branch(pool);
  Epochs e = create(g, budget, steps, count, scratch);
  e.short_rows = limits->short_rows;
  int64_t bound = solve(&e, limits);
  rm_pool_destroy(scratch);
  return bound;
}
