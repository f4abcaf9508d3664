/* lib/plan/budget-bound.c - bytes that every plan needs at some step.
 *
 * Three arguments, each at the first run of one op. It needs its inputs,
 * results and workspace. A value whose op runs only once, and which is read
 * later, is held. And what an op reads must be there at one time: of these
 * values one was made last, at a step that held the others, the inputs of its
 * op, its results and its workspace; before that step the others and the inputs
 * were there at one time, and so on back to the beginning. If every choice of
 * what was made last passes through a step above some number of bytes, so does
 * every plan.
 *
 * That search goes depth first through sets of values and counts only steps
 * within the bytes already proved; where it ends without having reached the
 * beginning, the least step it refused is the next bound. A set that was there
 * when an op searched before ran is known to be within reach. A search that
 * takes too long proves nothing, so the answer stays valid.
 *
 * Uncounted and empty values are taken as always there. */

#include "plan/budget-bound.h"
#include "plan/min-cut.h"
#include "support/map.h"

#include <string.h>

enum { MOST_VALUES = 24 }; /* in a set; larger ones are not searched */

typedef struct Set {
  int32_t count;
  int32_t values[MOST_VALUES]; /* sorted */
} Set;

typedef struct Search {
  const RmGraph *g;
  RmPool *pool;
  RmBudgetBound bound;
  int64_t refused; /* the least step above the bound that was met */
  uint8_t *known;  /* by op: runs within the bound, or is taken to */
  int64_t work, most_work;
  int32_t most_sets; /* in the search from one op */
  RM_VEC(Set) open;
  RM_VEC(Set) seen;
  RmIntVec slots; /* of the sets seen, in the table */
  int32_t *table; /* hash table of places in `seen`, -1: empty */
  uint32_t mask;
} Search;

static bool counts(const RmGraph *g, int32_t value) {
  const RmValue *v = &g->values.items[value];
  return v->op >= 0 && v->counted && v->bytes > 0;
}

int64_t rm_budget_own_bytes(const RmGraph *g, int32_t op) {
  const RmOp *o = &g->ops.items[op];
  int64_t bytes = o->workspace;
  for (int32_t i = 0; i < o->num_inputs; ++i)
    if (counts(g, rm_op_inputs(g, op)[i]))
      bytes += g->values.items[rm_op_inputs(g, op)[i]].bytes;
  for (int32_t i = 0; i < o->num_results; ++i)
    if (counts(g, o->first_result + i))
      bytes += g->values.items[o->first_result + i].bytes;
  return bytes;
}

/* By op: bytes that stay over it because they cannot be made again, in program
 * order; those the op reads or makes are not among them. */
static int64_t *find_held_bytes(const RmGraph *g, RmPool *pool) {
  int32_t ops = (int32_t)g->ops.count;
  int64_t *held = RM_NEW_ARRAY(pool, int64_t, ops + 1);
  int32_t *last = RM_NEW_ARRAY(pool, int32_t, g->values.count);
  for (int32_t op = 0; op < ops; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      last[rm_op_inputs(g, op)[i]] = op;
  for (int32_t i = 0; i < (int32_t)g->values.count; ++i) {
    const RmValue *v = &g->values.items[i];
    if (!counts(g, i) || g->ops.items[v->op].recomputable || last[i] <= v->op)
      continue;
    held[v->op + 1] += v->bytes;
    held[last[i]] -= v->bytes;
  }
  for (int32_t op = 0; op < ops; ++op)
    held[op + 1] += held[op];
  for (int32_t op = 0; op < ops; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
      int32_t value = rm_op_inputs(g, op)[i];
      const RmValue *v = &g->values.items[value];
      if (counts(g, value) && !g->ops.items[v->op].recomputable &&
          last[value] > op)
        held[op] -= v->bytes;
    }
  return held;
}

static void raise_bound(Search *s, int64_t bytes, int32_t op) {
  if (bytes > s->bound.bytes || s->bound.step < 0) {
    s->bound.bytes = bytes;
    s->bound.step = op;
  }
}

/*===-- What was there at one time ----------------------------------------===*/

static void add_value(Set *set, int32_t value) {
  int32_t at = set->count;
  while (at > 0 && set->values[at - 1] > value)
    --at;
  if (at > 0 && set->values[at - 1] == value)
    return;
  if (set->count == MOST_VALUES)
    return; /* a smaller set proves less, but nothing wrong */
  memmove(set->values + at + 1, set->values + at,
          (size_t)(set->count - at) * sizeof *set->values);
  set->values[at] = value;
  ++set->count;
}

static void add_inputs(const RmGraph *g, Set *set, int32_t op) {
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
    if (counts(g, rm_op_inputs(g, op)[i]))
      add_value(set, rm_op_inputs(g, op)[i]);
}

/* The set before `op` ran, if it made the last of `set`; bytes of that step. */
static int64_t step_back(const RmGraph *g, const Set *set, int32_t op,
                         Set *before) {
  int64_t bytes = rm_budget_own_bytes(g, op);
  before->count = 0;
  for (int32_t i = 0; i < set->count; ++i)
    if (g->values.items[set->values[i]].op != op)
      before->values[before->count++] = set->values[i];
  int32_t others = before->count;
  for (int32_t i = 0; i < others; ++i)
    bytes += g->values.items[before->values[i]].bytes;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
    for (int32_t k = 0; k < others; ++k)
      if (before->values[k] == rm_op_inputs(g, op)[i])
        bytes -= g->values.items[before->values[k]].bytes;
  add_inputs(g, before, op);
  return bytes;
}

static bool is_in_step(const RmGraph *g, const Set *set, int32_t op) {
  Set step = {0};
  int32_t found = 0;
  add_inputs(g, &step, op);
  for (int32_t i = 0; i < set->count; ++i) {
    bool in = g->values.items[set->values[i]].op == op;
    for (int32_t k = 0; k < step.count && !in; ++k)
      in = step.values[k] == set->values[i];
    found += in;
  }
  return found == set->count;
}

/* Whether the whole set was there when a known op ran. Only the op that makes
 * the set's last value is asked. */
static bool is_known(const Search *s, const Set *set) {
  if (set->count == 0)
    return true;
  int32_t op = s->g->values.items[set->values[set->count - 1]].op;
  return s->known[op] && is_in_step(s->g, set, op);
}

static bool is_new(Search *s, const Set *set) {
  size_t bytes = (size_t)set->count * sizeof *set->values;
  uint32_t at = (uint32_t)rm_hash_bytes(set->values, bytes, 0) & s->mask;
  for (; s->table[at] >= 0; at = (at + 1) & s->mask) {
    const Set *old = &s->seen.items[s->table[at]];
    if (old->count == set->count && !memcmp(old->values, set->values, bytes))
      return false;
  }
  s->table[at] = (int32_t)s->seen.count;
  rm_vec_push(s->pool, &s->seen, *set);
  rm_vec_push(s->pool, &s->slots, (int32_t)at);
  return true;
}

static void forget_sets(Search *s) {
  for (size_t i = 0; i < s->slots.count; ++i)
    s->table[s->slots.items[i]] = -1;
  s->seen.count = s->slots.count = s->open.count = 0;
}

typedef struct Step {
  Set before;
  int64_t bytes; /* of `before` */
} Step;

static int64_t bytes_of(const RmGraph *g, const Set *set) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < set->count; ++i)
    bytes += g->values.items[set->values[i]].bytes;
  return bytes;
}

/* The steps within the bound that may have made the last value of the set, the
 * one that leaves the most bytes first. */
static int32_t find_steps_back(Search *s, const Set *set, Step *steps) {
  int32_t count = 0, op = -1;
  for (int32_t i = 0; i < set->count; ++i) {
    if (s->g->values.items[set->values[i]].op == op)
      continue; /* results of an op are neighbours */
    op = s->g->values.items[set->values[i]].op;
    Step step;
    int64_t needed = step_back(s->g, set, op, &step.before);
    ++s->work;
    if (needed > s->bound.bytes) {
      s->refused = needed < s->refused ? needed : s->refused;
      continue;
    }
    step.bytes = bytes_of(s->g, &step.before);
    int32_t at = count++;
    for (; at > 0 && steps[at - 1].bytes <= step.bytes; --at)
      steps[at] = steps[at - 1];
    steps[at] = step;
  }
  return count;
}

static bool may_go_on(const Search *s) {
  return (int32_t)s->seen.count < s->most_sets && s->work < s->most_work;
}

/* Whether every way back from the op's inputs is refused. */
static bool is_blocked(Search *s, int32_t op) {
  Step steps[MOST_VALUES];
  Set set = {0};
  s->refused = INT64_MAX;
  forget_sets(s);
  add_inputs(s->g, &set, op);
  if (is_known(s, &set))
    return false;
  rm_vec_push(s->pool, &s->open, set);
  while (s->open.count > 0) {
    set = s->open.items[--s->open.count];
    int32_t count = find_steps_back(s, &set, steps);
    for (int32_t i = 0; i < count; ++i) {
      if (is_known(s, &steps[i].before) || !may_go_on(s))
        return false;
      if (is_new(s, &steps[i].before))
        rm_vec_push(s->pool, &s->open, steps[i].before);
    }
  }
  return true;
}

static void search_back(Search *s, int effort) {
  int32_t ops = (int32_t)s->g->ops.count;
  s->most_work = (int64_t)100000 << effort;
  s->most_sets = 1 << (5 + effort);
  if (s->most_work / (ops + 1) > s->most_sets)
    s->most_sets = (int32_t)(s->most_work / (ops + 1));
  if (s->most_sets > 1 << 14)
    s->most_sets = 1 << 14;
  s->mask = 1;
  while (s->mask < 4u * (uint32_t)s->most_sets)
    s->mask = 2 * s->mask + 1;
  s->known = RM_NEW_ARRAY(s->pool, uint8_t, ops);
  s->table = RM_NEW_ARRAY(s->pool, int32_t, (size_t)s->mask + 1);
  memset(s->table, -1, ((size_t)s->mask + 1) * sizeof *s->table);
  for (int32_t op = 0; op < ops; ++op) {
    while (is_blocked(s, op))
      raise_bound(s, s->refused, op);
    s->known[op] = 1;
  }
}

/*===-- All of it ---------------------------------------------------------===*/

/* The op for which these bytes are most, of those not taken before; -1: none.
 */
static int32_t take_fullest(const int64_t *bytes, uint8_t *taken, int32_t ops) {
  int32_t fullest = -1;
  for (int32_t op = 0; op < ops; ++op)
    if (!taken[op] && (fullest < 0 || bytes[op] > bytes[fullest]))
      fullest = op;
  if (fullest >= 0)
    taken[fullest] = 1;
  return fullest;
}

/* What must be held, found by a cut, at the steps that hold most. */
static void cut_at_fullest(Search *s, const int64_t *held, bool fixed_order,
                           int effort) {
  int32_t ops = (int32_t)s->g->ops.count;
  uint8_t *taken = RM_NEW_ARRAY(s->pool, uint8_t, ops);
  for (int32_t i = 0; i < 2 + 2 * effort; ++i) {
    int32_t op = take_fullest(held, taken, ops);
    if (op < 0)
      return;
    raise_bound(s, rm_min_cut_least_bytes(s->g, op, fixed_order, s->pool), op);
  }
}

static bool all_recomputable(const RmGraph *g) {
  for (size_t op = 0; op < g->ops.count; ++op)
    if (!g->ops.items[op].recomputable)
      return false;
  return true;
}

int64_t *rm_budget_step_bytes(const RmGraph *g, RmPool *pool) {
  int64_t *bytes = find_held_bytes(g, pool);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    bytes[op] += rm_budget_own_bytes(g, op);
  return bytes;
}

RmBudgetBound rm_budget_bound(const RmGraph *g, bool fixed_order, int effort,
                              RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  Search s = {.g = g, .pool = scratch, .bound = {0, -1}};
  int64_t *needed = rm_budget_step_bytes(g, scratch);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    raise_bound(&s, fixed_order ? needed[op] : rm_budget_own_bytes(g, op), op);
  if (!all_recomputable(g))
    cut_at_fullest(&s, needed, fixed_order, effort);
  search_back(&s, effort);
  rm_pool_destroy(scratch);
  return s.bound;
}
