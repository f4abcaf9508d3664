/* lib/plan/state.c - a schedule under change, with its live bytes. */
#include "plan/state.h"

#include <assert.h>
#include <string.h>

/*===-- Sorted lists of regions -------------------------------------------===*/

/* The number of entries below `region`. Lists are short: mostly one or two. */
static int32_t entries_below(const RmRegions *list, int32_t region) {
  int32_t low = 0, high = list->count;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (list->at[middle] < region)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert_at(RmPool *pool, RmRegions *list, int32_t at,
                      int32_t entry) {
  if (list->count == list->capacity) {
    int32_t capacity = list->capacity ? 2 * list->capacity : 4;
    list->at = rm_pool_grow(pool, list->at, sizeof *list->at * list->count,
                            sizeof *list->at * capacity);
    list->capacity = capacity;
  }
  memmove(list->at + at + 1, list->at + at,
          sizeof *list->at * (list->count - at));
  list->at[at] = entry;
  ++list->count;
}

static void delete_at(RmRegions *list, int32_t at) {
  --list->count;
  memmove(list->at + at, list->at + at + 1,
          sizeof *list->at * (list->count - at));
}

static void add_entry(RmPool *pool, RmRegions *list, int32_t region) {
  insert_at(pool, list, entries_below(list, region), region);
}

static void drop_entry(RmRegions *list, int32_t region) {
  int32_t at = entries_below(list, region);
  assert(at < list->count && list->at[at] == region);
  delete_at(list, at);
}

static bool has_entry(const RmRegions *list, int32_t region) {
  int32_t at = entries_below(list, region);
  return at < list->count && list->at[at] == region;
}

/*===-- Bytes over the budget ---------------------------------------------===*/

static inline int64_t positive(int64_t x) { return x > 0 ? x : 0; }

/* Adds `bytes` to the regions first..last. The loop is the heart of the search;
 * it is written so that compilers turn it into vector code. */
__attribute__((target_clones("avx2", "default"))) static int64_t
add_to_range(int64_t *over, int32_t first, int32_t last, int64_t bytes) {
  int64_t before = 0, after = 0;
  for (int32_t t = first; t <= last; ++t) {
    int64_t x = over[t], y = x + bytes;
    before += x > 0 ? x : 0;
    after += y > 0 ? y : 0;
    over[t] = y;
  }
  return after - before;
}

static void hold(RmState *s, int32_t first, int32_t last, int64_t bytes) {
  if (first > last)
    return;
  s->area += add_to_range(s->over, first, last, bytes);
  s->work += 4 + (last - first) / 4;
}

static void mark_dirty(RmState *s, int32_t region);

/*===-- Instances ---------------------------------------------------------===*/

static inline int32_t op_of(const RmState *s, int32_t value) {
  return s->graph->values.items[value].op;
}

static inline bool weighs(const RmState *s, int32_t value) {
  const RmValue *v = &s->graph->values.items[value];
  return v->counted && v->op >= 0;
}

static inline int64_t bytes_of(const RmState *s, int32_t value) {
  return s->graph->values.items[value].bytes;
}

/* The last read in [made, end), or `made`. */
static int32_t last_read(const RmRegions *reads, int32_t made, int32_t end) {
  int32_t below = entries_below(reads, end);
  if (below && reads->at[below - 1] > made)
    return reads->at[below - 1];
  return made;
}

RmSpan rm_state_span(const RmState *s, int32_t value, int32_t region) {
  const RmRegions *makes = &s->makes[op_of(s, value)];
  int32_t next = entries_below(makes, region + 1);
  assert(next > 0);
  int32_t made = makes->at[next - 1];
  int32_t end = next < makes->count ? makes->at[next] : s->count;
  return (RmSpan){made, last_read(&s->reads[value], made, end)};
}

int32_t rm_state_next_read(const RmState *s, int32_t value, int32_t region) {
  const RmRegions *reads = &s->reads[value];
  const RmRegions *makes = &s->makes[op_of(s, value)];
  int32_t at = entries_below(reads, region + 1);
  int32_t next = entries_below(makes, region + 1);
  if (at == reads->count ||
      (next < makes->count && makes->at[next] <= reads->at[at]))
    return -1;
  return reads->at[at];
}

/* An instance made in region `made` came to be read until `to` instead of
 * `from` (either order). What it holds is strictly between its ends. */
static void move_end(RmState *s, int32_t value, int32_t made, int32_t from,
                     int32_t to) {
  int64_t bytes = bytes_of(s, value);
  int32_t inner = made + 1;
  if (to > from)
    hold(s, from > inner ? from : inner, to - 1, bytes);
  else
    hold(s, to > inner ? to : inner, from - 1, -bytes);
  mark_dirty(s, from);
  mark_dirty(s, to);
}

static void add_read(RmState *s, int32_t value, int32_t region) {
  RmSpan old = rm_state_span(s, value, region);
  add_entry(s->pool, &s->reads[value], region);
  if (region > old.last)
    move_end(s, value, old.made, old.last, region);
}

static void drop_read(RmState *s, int32_t value, int32_t region) {
  drop_entry(&s->reads[value], region);
  /* The span is asked for at the region's own instance. */
  RmSpan now = rm_state_span(s, value, region);
  if (now.last < region)
    move_end(s, value, now.made, region, now.last);
}

/* A run of `value`'s op in `region` takes over (sign -1) or gives back (+1) the
 * reads from there on; the list of runs does not show it now. Where the one
 * long instance and the two short ones hold the same bytes nothing changes. */
static void split_instance(RmState *s, int32_t value, int32_t region,
                           int sign) {
  RmSpan whole = rm_state_span(s, value, region);
  int32_t before = last_read(&s->reads[value], whole.made, region);
  int32_t first = before > whole.made ? before : whole.made + 1;
  int32_t last = region < whole.last ? region : whole.last - 1;
  hold(s, first, last, sign * bytes_of(s, value));
  mark_dirty(s, before);
  mark_dirty(s, region);
}

/*===-- Counting a region anew --------------------------------------------===*/

static inline int32_t member(const RmState *s, int32_t region, int32_t i) {
  const RmRegions *list = &s->region[region];
  return i < list->count ? list->at[i] : region;
}

static inline bool goes_on(const RmState *s, int32_t value, int32_t region) {
  return rm_state_next_read(s, value, region) >= 0;
}

/* Walking backward, an input not seen yet is read here for the last time in
 * the region; if nothing later reads it, it is alive from here on (back to
 * where it was made, or to the region's start). */
static int64_t add_dying_inputs(RmState *s, int32_t op, int32_t region) {
  const RmOp *info = &s->graph->ops.items[op];
  int64_t bytes = 0;
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t value = rm_op_inputs(s->graph, op)[i];
    if (!weighs(s, value) || s->stamp[value] == s->now)
      continue;
    s->stamp[value] = s->now;
    if (!goes_on(s, value, region))
      bytes += bytes_of(s, value);
  }
  return bytes;
}

/* Results: `alive` are bytes that later steps count already, `alone` those of
 * results that die at once. */
static void sum_results(RmState *s, int32_t op, int32_t region, int64_t *alive,
                        int64_t *alone) {
  const RmOp *info = &s->graph->ops.items[op];
  *alive = *alone = 0;
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t value = info->first_result + i;
    if (!weighs(s, value))
      continue;
    if (s->stamp[value] == s->now || goes_on(s, value, region))
      *alive += bytes_of(s, value);
    else
      *alone += bytes_of(s, value);
  }
}

static int64_t going_on(RmState *s, int32_t region) {
  int64_t bytes = 0;
  for (int32_t i = 0; i <= s->region[region].count; ++i) {
    const RmOp *op = &s->graph->ops.items[member(s, region, i)];
    for (int32_t r = 0; r < op->num_results; ++r) {
      int32_t value = op->first_result + r;
      if (weighs(s, value) && goes_on(s, value, region))
        bytes += bytes_of(s, value);
    }
  }
  return bytes;
}

/* The bytes at the fullest step of the region, of all that is made or read for
 * the last time in it. */
static int64_t count_local(RmState *s, int32_t region) {
  int64_t live = going_on(s, region), most = 0;
  ++s->now;
  for (int32_t i = s->region[region].count; i >= 0; --i) {
    int32_t op = member(s, region, i);
    int64_t alive, alone;
    live += add_dying_inputs(s, op, region);
    sum_results(s, op, region, &alive, &alone);
    int64_t here = live + alone + s->graph->ops.items[op].workspace;
    most = here > most ? here : most;
    live -= alive;
  }
  s->work += 8 * (1 + s->region[region].count);
  return most;
}

static void recount(RmState *s, int32_t region) {
  int64_t local = count_local(s, region);
  int64_t old = s->over[region], now = old + local - s->local[region];
  s->area += positive(now) - positive(old);
  s->over[region] = now;
  s->local[region] = local;
}

static void recount_dirty(RmState *s) {
  for (size_t i = 0; i < s->dirty.count; ++i)
    recount(s, s->dirty.items[i]);
  s->dirty.count = 0;
}

/* A list of a few regions, each once. */
static void mark_dirty(RmState *s, int32_t region) {
  for (size_t i = s->dirty.count; i-- > 0;)
    if (s->dirty.items[i] == region)
      return;
  rm_vec_push(s->pool, &s->dirty, region);
}

/*===-- Changes -----------------------------------------------------------===*/

bool rm_state_has(const RmState *s, int32_t op, int32_t region) {
  return has_entry(&s->region[region], op);
}

static void change_reads(RmState *s, int32_t op, int32_t region,
                         void (*change)(RmState *, int32_t, int32_t)) {
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_inputs; ++i) {
    int32_t value = rm_op_inputs(s->graph, op)[i];
    if (weighs(s, value))
      change(s, value, region);
  }
}

static void split_results(RmState *s, int32_t op, int32_t region, int sign) {
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_results; ++i)
    if (weighs(s, info->first_result + i))
      split_instance(s, info->first_result + i, region, sign);
}

static void add_rerun(RmState *s, int32_t op, int32_t region) {
  int32_t at = entries_below(&s->region[region], op);
  insert_at(s->pool, &s->region[region], at, op);
  insert_at(s->pool, &s->where[region], at, (int32_t)s->reruns.count);
  RmRerun rerun = {op, region};
  rm_vec_push(s->pool, &s->reruns, rerun);
}

/* The last of all takes the place of the one that goes. */
static void drop_rerun(RmState *s, int32_t op, int32_t region) {
  int32_t at = entries_below(&s->region[region], op);
  int32_t hole = s->where[region].at[at];
  RmRerun last = s->reruns.items[s->reruns.count - 1];
  s->reruns.items[hole] = last;
  s->where[last.region].at[entries_below(&s->region[last.region], last.op)] =
      hole;
  --s->reruns.count;
  delete_at(&s->region[region], at);
  delete_at(&s->where[region], at);
}

void rm_state_insert(RmState *s, int32_t op, int32_t region) {
  assert(region > op && !rm_state_has(s, op, region));
  split_results(s, op, region, -1);
  add_entry(s->pool, &s->makes[op], region);
  add_rerun(s, op, region);
  change_reads(s, op, region, add_read);
  s->cost += s->graph->ops.items[op].cost;
  mark_dirty(s, region);
  recount_dirty(s);
}

void rm_state_remove(RmState *s, int32_t op, int32_t region) {
  change_reads(s, op, region, drop_read);
  drop_rerun(s, op, region);
  drop_entry(&s->makes[op], region);
  split_results(s, op, region, 1);
  s->cost -= s->graph->ops.items[op].cost;
  mark_dirty(s, region);
  recount_dirty(s);
}

bool rm_state_is_useless(const RmState *s, int32_t op, int32_t region) {
  const RmOp *info = &s->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t value = info->first_result + i;
    RmSpan span = weighs(s, value) ? rm_state_span(s, value, region)
                                   : (RmSpan){region, region};
    if (span.last > region || has_entry(&s->reads[value], region))
      return false;
  }
  return true;
}

int32_t rm_state_fullest(const RmState *s) {
  int32_t best = 0;
  for (int32_t t = 1; t < s->count; ++t)
    if (s->over[t] > s->over[best])
      best = t;
  return best;
}

/*===-- Whole schedules ---------------------------------------------------===*/

static void read_base_order(RmState *s) {
  for (int32_t op = 0; op < s->count; ++op) {
    add_entry(s->pool, &s->makes[op], op);
    const RmOp *info = &s->graph->ops.items[op];
    s->cost += info->cost;
    for (int32_t i = 0; i < info->num_inputs; ++i) {
      int32_t value = rm_op_inputs(s->graph, op)[i];
      if (weighs(s, value))
        add_entry(s->pool, &s->reads[value], op);
    }
  }
}

/* What each instance holds strictly between its ends, by differences. */
static void hold_base_order(RmState *s) {
  int64_t *change = RM_NEW_ARRAY(s->pool, int64_t, s->count + 1);
  for (int32_t v = 0; v < (int32_t)s->graph->values.count; ++v) {
    if (!weighs(s, v))
      continue;
    RmSpan span = rm_state_span(s, v, op_of(s, v));
    if (span.last <= span.made)
      continue;
    change[span.made + 1] += bytes_of(s, v);
    change[span.last] -= bytes_of(s, v);
  }
  int64_t held = 0;
  for (int32_t t = 0; t < s->count; ++t) {
    held += change[t];
    s->local[t] = count_local(s, t);
    s->over[t] = held + s->local[t] - s->budget;
    s->area += positive(s->over[t]);
  }
}

RmState *rm_state_create(const RmGraph *graph, int64_t budget, RmPool *pool) {
  RmState *s = RM_NEW(pool, RmState);
  int32_t count = (int32_t)graph->ops.count;
  *s =
      (RmState){.graph = graph, .pool = pool, .count = count, .budget = budget};
  s->over = RM_NEW_ARRAY(pool, int64_t, count + 1);
  s->local = RM_NEW_ARRAY(pool, int64_t, count + 1);
  s->makes = RM_NEW_ARRAY(pool, RmRegions, count);
  s->region = RM_NEW_ARRAY(pool, RmRegions, count);
  s->where = RM_NEW_ARRAY(pool, RmRegions, count);
  s->reads = RM_NEW_ARRAY(pool, RmRegions, graph->values.count);
  s->stamp = RM_NEW_ARRAY(pool, uint32_t, graph->values.count);
  read_base_order(s);
  hold_base_order(s);
  return s;
}

void rm_state_set_budget(RmState *s, int64_t budget) {
  s->area = 0;
  for (int32_t t = 0; t < s->count; ++t) {
    s->over[t] += s->budget - budget;
    s->area += positive(s->over[t]);
  }
  s->budget = budget;
}

RmSchedule rm_state_schedule(const RmState *s, RmPool *pool) {
  RmSchedule schedule = {
      RM_NEW_ARRAY(pool, int32_t, (size_t)s->count + s->reruns.count), 0};
  for (int32_t t = 0; t < s->count; ++t)
    for (int32_t i = 0; i <= s->region[t].count; ++i)
      schedule.steps[schedule.count++] = member(s, t, i);
  return schedule;
}

static void clear(RmState *s) {
  while (s->reruns.count) {
    RmRerun last = s->reruns.items[s->reruns.count - 1];
    rm_state_remove(s, last.op, last.region);
  }
}

void rm_state_load(RmState *s, const RmSchedule *schedule) {
  RmIntVec pending = {0};
  int32_t next = 0;
  clear(s);
  for (int32_t i = 0; i < schedule->count; ++i) {
    int32_t op = schedule->steps[i];
    if (op < next) {
      rm_vec_push(s->pool, &pending, op);
      continue;
    }
    for (size_t k = 0; k < pending.count; ++k)
      if (!rm_state_has(s, pending.items[k], op))
        rm_state_insert(s, pending.items[k], op);
    pending.count = 0;
    next = op + 1;
  }
}

bool rm_state_check(const RmState *s, RmPool *pool) {
  RmSchedule schedule = rm_state_schedule(s, pool);
  const int64_t *live = rm_schedule_live(s->graph, &schedule, pool);
  int64_t area = 0, cost = 0;
  int32_t step = 0;
  for (int32_t t = 0; t < s->count; ++t) {
    int64_t most = 0;
    for (int32_t i = 0; i <= s->region[t].count; ++i, ++step) {
      most = live[step] > most ? live[step] : most;
      cost += s->graph->ops.items[member(s, t, i)].cost;
    }
    area += positive(most - s->budget);
    if (most != s->over[t] + s->budget)
      return false;
  }
  return area == s->area && cost == s->cost;
}
