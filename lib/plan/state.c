/* lib/plan/state.c - a schedule under change, with its live bytes. */
#include "plan/state.h"

#include <assert.h>
#include <string.h>

/*===-- Sorted lists of slots ---------------------------------------------===*/

/* The number of entries below `slot`. Lists are short: mostly one or two. */
static inline int32_t entries_below(const RmSlots *list, int32_t slot) {
  int32_t low = 0, high = list->count;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (list->at[middle] < slot)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void reserve(RmPool *pool, RmSlots *list) {
  if (list->count < list->capacity)
    return;
  int32_t capacity = list->capacity ? 2 * list->capacity : 4;
  RM_GROW_ARRAY(pool, list->at, list->count, capacity);
  list->capacity = capacity;
}

static void append(RmPool *pool, RmSlots *list, int32_t slot) {
  reserve(pool, list);
  list->at[list->count++] = slot;
}

static void add_entry(RmPool *pool, RmSlots *list, int32_t slot) {
  reserve(pool, list);
  int32_t at = list->count++;
  for (; at > 0 && list->at[at - 1] > slot; --at)
    list->at[at] = list->at[at - 1];
  list->at[at] = slot;
}

static void drop_entry(RmSlots *list, int32_t slot) {
  int32_t at = entries_below(list, slot);
  assert(at < list->count && list->at[at] == slot);
  --list->count;
  for (; at < list->count; ++at)
    list->at[at] = list->at[at + 1];
}

/* The entry `slot` becomes the next one or the one before. */
static void move_entry(RmSlots *list, int32_t slot, int32_t by) {
  int32_t at = entries_below(list, slot);
  assert(at < list->count && list->at[at] == slot);
  list->at[at] += by;
}

/*===-- Instances ---------------------------------------------------------===*/

static inline const RmSlots *makes_of(const RmState *s, int32_t value) {
  return &s->makes[s->graph->values.items[value].op];
}

static inline int64_t bytes_of(const RmState *s, int32_t value) {
  return s->graph->values.items[value].bytes;
}

/* The last read in (made, end), or `made`. */
static inline int32_t last_read(const RmSlots *reads, int32_t made,
                                int32_t end) {
  int32_t below = entries_below(reads, end);
  if (below && reads->at[below - 1] > made)
    return reads->at[below - 1];
  return made;
}

/* The instance that the i-th run of its op makes. */
static inline RmSpan instance(const RmState *s, int32_t value, int32_t i) {
  const RmSlots *makes = makes_of(s, value);
  int32_t end = i + 1 < makes->count ? makes->at[i + 1] : s->excess.slots;
  return (RmSpan){makes->at[i], last_read(&s->reads[value], makes->at[i], end)};
}

RmSpan rm_state_span(const RmState *s, int32_t value, int32_t slot) {
  int32_t runs = entries_below(makes_of(s, value), slot + 1);
  assert(runs > 0);
  return instance(s, value, runs - 1);
}

bool rm_state_reads(const RmState *s, int32_t value, int32_t slot) {
  const RmSlots *reads = &s->reads[value];
  int32_t at = entries_below(reads, slot);
  return at < reads->count && reads->at[at] == slot;
}

int32_t rm_state_touched_before(const RmState *s, int32_t value, int32_t slot) {
  const RmSlots *makes = makes_of(s, value);
  int32_t runs = entries_below(makes, slot);
  assert(runs > 0);
  return last_read(&s->reads[value], makes->at[runs - 1], slot);
}

int32_t rm_state_next_read(const RmState *s, int32_t value, int32_t slot) {
  const RmSlots *reads = &s->reads[value], *makes = makes_of(s, value);
  int32_t at = entries_below(reads, slot + 1);
  int32_t next = entries_below(makes, slot + 1);
  if (at == reads->count ||
      (next < makes->count && makes->at[next] < reads->at[at]))
    return -1;
  return reads->at[at];
}

static inline void hold(RmState *s, int32_t first, int32_t last,
                        int64_t bytes) {
  rm_excess_add(&s->excess, first, last, bytes);
}

static void add_read(RmState *s, int32_t value, int32_t slot) {
  int32_t last = rm_state_span(s, value, slot).last;
  add_entry(s->pool, &s->reads[value], slot);
  if (slot > last)
    hold(s, last + 1, slot, bytes_of(s, value));
}

static void drop_read(RmState *s, int32_t value, int32_t slot) {
  drop_entry(&s->reads[value], slot);
  int32_t last = rm_state_span(s, value, slot).last;
  if (slot > last)
    hold(s, last + 1, slot, -bytes_of(s, value));
}

/* A run of `value`'s op in `slot` takes over (sign 1) or gives back (-1) the
 * reads from there on; the list of runs does not show it now. */
static void split_instance(RmState *s, int32_t value, int32_t slot, int sign) {
  int64_t bytes = sign * bytes_of(s, value);
  if (rm_state_span(s, value, slot).last > slot)
    hold(s, rm_state_touched_before(s, value, slot) + 1, slot - 1, -bytes);
  else
    hold(s, slot, slot, bytes);
}

/*===-- Slots -------------------------------------------------------------===*/

enum {
  REACH = 64, /* how far steps are moved to make room */
  NEAR = 8
};

/* The bytes of the step in `slot` that are alive there, and no longer if it
 * moves to the next slot. */
static int64_t begins_with(const RmState *s, int32_t slot) {
  int32_t op = s->op_at[slot];
  RmTouched results = s->results[op];
  int64_t bytes = s->graph->ops.items[op].workspace;
  for (int32_t i = 0; i < results.count; ++i)
    bytes += bytes_of(s, s->values[results.first + i]);
  return bytes;
}

/* The same if it moves to the slot before. */
static int64_t ends_with(const RmState *s, int32_t slot) {
  int32_t op = s->op_at[slot];
  RmTouched touched[] = {s->inputs[op], s->results[op]};
  int64_t bytes = s->graph->ops.items[op].workspace;
  for (int k = 0; k < 2; ++k)
    for (int32_t i = 0; i < touched[k].count; ++i) {
      int32_t value = s->values[touched[k].first + i];
      if (rm_state_next_read(s, value, slot) < 0)
        bytes += bytes_of(s, value);
    }
  return bytes;
}

/* The step in `slot` moves to the next one (by 1) or the one before (-1), which
 * is empty. */
static void move_step(RmState *s, int32_t slot, int32_t by) {
  int32_t op = s->op_at[slot], to = slot + by;
  rm_excess_move(&s->excess, slot, to,
                 by > 0 ? begins_with(s, slot) : ends_with(s, slot));
  for (int32_t i = 0; i < s->inputs[op].count; ++i)
    move_entry(&s->reads[s->values[s->inputs[op].first + i]], slot, by);
  move_entry(&s->makes[op], slot, by);
  if (s->base[op] == slot)
    s->base[op] = to;
  s->op_at[to] = op;
  s->region_at[to] = s->region_at[slot];
  s->rerun_at[to] = s->rerun_at[slot];
  s->op_at[slot] = -1;
}

/* The nearest slot that is empty; -1 if it is beyond reach. */
static int32_t find_empty(const RmState *s, int32_t slot) {
  for (int32_t i = 1; i < REACH; ++i) {
    if (slot + i < s->excess.slots && s->op_at[slot + i] < 0)
      return slot + i;
    if (slot > i && s->op_at[slot - 1 - i] < 0)
      return slot - 1 - i;
  }
  return -1;
}

static void lay_out(RmState *s, RmSchedule schedule);

/* A slot before a step and behind the one before that, which is empty, or from
 * which others were moved. */
static int32_t make_room(RmState *s, int32_t before) {
  int32_t room = 0;
  while (room < NEAR && s->op_at[before - 1 - room] < 0)
    ++room;
  if (room)
    return before - (room + 1) / 2;
  int32_t empty = find_empty(s, before);
  if (empty < 0) {
    RmStep step = rm_state_step(s, before);
    RmPool *scratch = rm_pool_branch(s->pool);
    lay_out(s, rm_state_schedule(s, scratch));
    rm_pool_destroy(scratch);
    return make_room(s, rm_state_slot(s, step.op, step.region));
  }
  for (; empty > before; --empty)
    move_step(s, empty - 1, 1);
  for (; empty < before - 1; ++empty)
    move_step(s, empty + 1, -1);
  return empty;
}

/*===-- Changes -----------------------------------------------------------===*/

int32_t rm_state_slot(const RmState *s, int32_t op, int32_t region) {
  const RmSlots *makes = &s->makes[op];
  int32_t at = entries_below(makes, region ? s->base[region - 1] + 1 : 0);
  if (at < makes->count && makes->at[at] <= s->base[region])
    return makes->at[at];
  return -1;
}

int32_t rm_state_latest(const RmState *s, int32_t op, int32_t slot) {
  return s->makes[op].at[entries_below(&s->makes[op], slot + 1) - 1];
}

/* Notes that a step stands there: in the lists its slot is the last. */
static void put_step(RmState *s, int32_t op, int32_t slot, int32_t region) {
  s->op_at[slot] = op;
  s->region_at[slot] = region;
  s->cost += s->graph->ops.items[op].cost;
  if (op == region) {
    s->base[op] = slot;
    return;
  }
  RmStep rerun = {op, region};
  s->rerun_at[slot] = (int32_t)s->reruns.count;
  rm_vec_push(s->pool, &s->reruns, rerun);
}

/* The last of all takes the place of the one that goes. */
static void drop_rerun(RmState *s, int32_t slot) {
  RmStep last = s->reruns.items[s->reruns.count - 1];
  s->reruns.items[s->rerun_at[slot]] = last;
  s->rerun_at[rm_state_slot(s, last.op, last.region)] = s->rerun_at[slot];
  --s->reruns.count;
}

void rm_state_insert(RmState *s, int32_t op, int32_t before) {
  int32_t region = s->region_at[before];
  assert(region > op && rm_state_slot(s, op, region) < 0);
  int32_t slot = make_room(s, before);
  RmTouched inputs = s->inputs[op], results = s->results[op];
  for (int32_t i = 0; i < results.count; ++i)
    split_instance(s, s->values[results.first + i], slot, 1);
  for (int32_t i = 0; i < inputs.count; ++i)
    add_read(s, s->values[inputs.first + i], slot);
  add_entry(s->pool, &s->makes[op], slot);
  put_step(s, op, slot, region);
  rm_excess_occupy(&s->excess, slot, s->graph->ops.items[op].workspace);
  s->excess.work += 8;
}

void rm_state_remove(RmState *s, int32_t slot) {
  int32_t op = s->op_at[slot];
  RmTouched inputs = s->inputs[op], results = s->results[op];
  rm_excess_vacate(&s->excess, slot, s->graph->ops.items[op].workspace);
  drop_rerun(s, slot);
  drop_entry(&s->makes[op], slot);
  for (int32_t i = 0; i < inputs.count; ++i)
    drop_read(s, s->values[inputs.first + i], slot);
  for (int32_t i = 0; i < results.count; ++i)
    split_instance(s, s->values[results.first + i], slot, -1);
  s->op_at[slot] = -1;
  s->cost -= s->graph->ops.items[op].cost;
  s->excess.work += 8;
}

int32_t rm_state_next_step(const RmState *s, int32_t slot) {
  do
    ++slot;
  while (s->op_at[slot] < 0);
  return slot;
}

bool rm_state_is_useless(const RmState *s, int32_t slot) {
  RmTouched results = s->results[s->op_at[slot]];
  for (int32_t i = 0; i < results.count; ++i)
    if (rm_state_next_read(s, s->values[results.first + i], slot) >= 0)
      return false;
  return true;
}

/*===-- Whole schedules ---------------------------------------------------===*/

/* Room for half as many steps again in each region. */
static int32_t slots_for(int32_t steps) { return steps + 1 + (steps - 1) / 2; }

/* Steps of a region: the recomputations before the next base step, and it. */
static int32_t region_steps(const RmSchedule *schedule, int32_t first,
                            int32_t region) {
  int32_t end = first;
  while (schedule->steps[end] != region)
    ++end;
  return end + 1 - first;
}

static int32_t count_slots(const RmState *s, const RmSchedule *schedule) {
  int32_t slots = REACH, first = 0;
  for (int32_t region = 0; region < s->count; ++region) {
    int32_t steps = region_steps(schedule, first, region);
    slots += slots_for(steps);
    first += steps;
  }
  return slots;
}

static void clear_slots(RmState *s, int32_t slots) {
  if (slots > s->capacity) {
    int32_t old = s->capacity;
    s->capacity = slots + slots / 4;
    RM_GROW_ARRAY(s->pool, s->op_at, old, s->capacity);
    RM_GROW_ARRAY(s->pool, s->region_at, old, s->capacity);
    RM_GROW_ARRAY(s->pool, s->rerun_at, old, s->capacity);
    RM_GROW_ARRAY(s->pool, s->held, old ? old + 1 : 0, s->capacity + 1);
  }
  memset(s->op_at, -1, sizeof *s->op_at * slots);
  memset(s->held, 0, sizeof *s->held * (slots + 1));
  for (int32_t op = 0; op < s->count; ++op)
    s->makes[op].count = 0;
  for (size_t value = 0; value < s->graph->values.count; ++value)
    s->reads[value].count = 0;
  s->reruns.count = 0;
  s->cost = 0;
}

/* The steps of each region spread evenly over its slots, in ascending order. */
static void put_steps(RmState *s, const RmSchedule *schedule) {
  int32_t slot = 0, first = 0;
  for (int32_t region = 0; region < s->count; ++region) {
    int32_t steps = region_steps(schedule, first, region);
    int32_t slots = slots_for(steps);
    for (int32_t i = 0; i < steps; ++i) {
      int32_t op = schedule->steps[first + i];
      int32_t at = slot + (int32_t)((int64_t)slots * (i + 1) / steps) - 1;
      RmTouched inputs = s->inputs[op];
      put_step(s, op, at, region);
      append(s->pool, &s->makes[op], at);
      for (int32_t k = 0; k < inputs.count; ++k)
        append(s->pool, &s->reads[s->values[inputs.first + k]], at);
    }
    first += steps;
    slot += slots;
  }
}

/* What each instance holds, by differences. */
static void hold_instances(RmState *s, int32_t slots) {
  for (int32_t op = 0; op < s->count; ++op)
    for (int32_t i = 0; i < s->results[op].count; ++i) {
      int32_t value = s->values[s->results[op].first + i];
      for (int32_t run = 0; run < s->makes[op].count; ++run) {
        RmSpan span = instance(s, value, run);
        s->held[span.made] += bytes_of(s, value);
        s->held[span.last + 1] -= bytes_of(s, value);
      }
    }
  for (int32_t slot = 1; slot < slots; ++slot)
    s->held[slot] += s->held[slot - 1];
}

/* `schedule` has the form of regions. */
static void lay_out(RmState *s, RmSchedule schedule) {
  int32_t slots = count_slots(s, &schedule);
  clear_slots(s, slots);
  s->excess.slots = slots;
  put_steps(s, &schedule);
  hold_instances(s, slots);
  rm_excess_reset(&s->excess, s->held, slots, s->budget, s->pool);
  for (int32_t slot = 0; slot < slots; ++slot)
    if (s->op_at[slot] >= 0)
      rm_excess_occupy(&s->excess, slot,
                       s->graph->ops.items[s->op_at[slot]].workspace);
  s->excess.work += 4 * slots;
}

void rm_state_write(const RmState *s, int32_t *steps) {
  int32_t count = 0;
  for (int32_t slot = 0; slot < s->excess.slots; ++slot)
    if (s->op_at[slot] >= 0)
      steps[count++] = s->op_at[slot];
}

RmSchedule rm_state_schedule(const RmState *s, RmPool *pool) {
  int32_t count = s->count + (int32_t)s->reruns.count;
  RmSchedule schedule = {RM_NEW_ARRAY(pool, int32_t, count), count};
  rm_state_write(s, schedule.steps);
  return schedule;
}

/*===-- From elsewhere ----------------------------------------------------===*/

/* The counted ones of these, if an op makes them. */
static RmTouched list_touched(RmState *s, RmIntVec *list, const int32_t *values,
                              int32_t count) {
  RmTouched touched = {(int32_t)list->count, 0};
  for (int32_t i = 0; i < count; ++i) {
    const RmValue *v = &s->graph->values.items[values[i]];
    if (!v->counted || v->op < 0)
      continue;
    rm_vec_push(s->pool, list, values[i]);
    ++touched.count;
  }
  return touched;
}

static void list_values(RmState *s) {
  RmIntVec list = {0};
  for (int32_t op = 0; op < s->count; ++op) {
    const RmOp *info = &s->graph->ops.items[op];
    s->inputs[op] =
        list_touched(s, &list, rm_op_inputs(s->graph, op), info->num_inputs);
    s->results[op].first = (int32_t)list.count;
    for (int32_t i = 0; i < info->num_results; ++i) {
      int32_t value = info->first_result + i;
      s->results[op].count += list_touched(s, &list, &value, 1).count;
    }
  }
  s->values = list.items;
}

RmState *rm_state_create(const RmGraph *graph, int64_t budget, RmPool *pool) {
  RmState *s = RM_NEW(pool, RmState);
  int32_t count = (int32_t)graph->ops.count;
  *s =
      (RmState){.graph = graph, .pool = pool, .count = count, .budget = budget};
  s->base = RM_NEW_ARRAY(pool, int32_t, count);
  s->makes = RM_NEW_ARRAY(pool, RmSlots, count);
  s->reads = RM_NEW_ARRAY(pool, RmSlots, graph->values.count);
  s->inputs = RM_NEW_ARRAY(pool, RmTouched, count);
  s->results = RM_NEW_ARRAY(pool, RmTouched, count);
  for (int32_t op = 0; op < count; ++op)
    if (!graph->ops.items[op].recomputable)
      s->fixed += graph->ops.items[op].cost;
  list_values(s);
  RmPool *scratch = rm_pool_branch(pool);
  lay_out(s, rm_schedule_identity(graph, scratch));
  rm_pool_destroy(scratch);
  return s;
}

/* Keeps the first of equal recomputations in a region. */
void rm_state_load(RmState *s, const RmSchedule *schedule) {
  RmPool *scratch = rm_pool_branch(s->pool);
  RmSchedule kept = {RM_NEW_ARRAY(scratch, int32_t, schedule->count), 0};
  int32_t *region_of = RM_NEW_ARRAY(scratch, int32_t, s->count);
  int32_t region = 0, end = 0; /* the steps up to the last base step */
  for (int32_t i = 0; i < schedule->count; ++i) {
    int32_t op = schedule->steps[i];
    if (op < region && region_of[op] == region)
      continue;
    kept.steps[kept.count++] = op;
    if (op < region) {
      region_of[op] = region;
      continue;
    }
    region = op + 1;
    end = kept.count;
  }
  kept.count = end;
  lay_out(s, kept);
  rm_pool_destroy(scratch);
}

void rm_state_turn_to(RmState *s, int64_t budget) {
  rm_excess_add(&s->excess, 0, s->excess.slots - 1, s->budget - budget);
  s->budget = budget;
}

bool rm_state_check(const RmState *s, RmPool *pool) {
  RmSchedule schedule = rm_state_schedule(s, pool);
  const int64_t *live = rm_schedule_live(s->graph, &schedule, pool);
  int64_t area = 0, cost = 0;
  int32_t step = 0;
  for (int32_t slot = 0; slot < s->excess.slots; ++slot) {
    int64_t over = rm_excess_at(&s->excess, slot);
    if (over > s->excess.most[slot / RM_EXCESS_BLOCK])
      return false;
    if (s->op_at[slot] < 0)
      continue;
    if (over != live[step] - s->budget)
      return false;
    area += over > 0 ? over : 0;
    cost += s->graph->ops.items[s->op_at[slot]].cost;
    ++step;
  }
  return area == s->excess.area && cost == s->cost && step == schedule.count;
}
