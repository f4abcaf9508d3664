/* lib/ir/fences.c - where a schedule needs fences and checkpoints.
 *
 * One walk over the schedule, in which each value carries the number of its
 * current name as cse would give it (see fences.h). Steps that could still be
 * waited for are kept in a list, latest first, from which those that nobody
 * reads any more drop out; so the work is linear in the schedule.
 *
 * Invariant: `now` counts, for each number, the ops so far that have it; a
 * clone is only ever added to an empty count. */
#include "ir/fences.h"
#include "ir/readers.h"
#include "support/map.h"

#include <string.h>

typedef struct Walk {
  const RmGraph *graph;
  const RmSchedule *schedule;
  const RmOpShape *shapes;
  RmPool *pool;
  RmReaders readers;
  RmFences fences;
  int32_t *latest;  /* by op: its latest step so far, or -1 */
  int32_t *older;   /* by step: the next in the list of those still read */
  int32_t newest;   /* the head of that list, or -1 */
  uint64_t *name;   /* by value: the number of its current name */
  uint64_t *inside; /* by value: of its name behind the open fence */
  int32_t *opened;  /* by value: where the region that `inside` is of begins */
  RmMap before;     /* how many ops of the input have a number */
  RmMap now;        /* how many so far have it */
  uint64_t fences_made;
  int32_t run_begin; /* where the run of recomputed steps begins */
} Walk;

static uint64_t mix(uint64_t a, uint64_t b) {
  a = (a ^ b) * 0x9e3779b97f4a7c15u;
  return a ^ a >> 29;
}

static const RmOp *op_of(const Walk *walk, int32_t op) {
  return &walk->graph->ops.items[op];
}

static int32_t input_of(const Walk *walk, int32_t op, int32_t i) {
  return rm_op_inputs(walk->graph, op)[i];
}

static int32_t maker_of(const Walk *walk, int32_t value) {
  return walk->graph->values.items[value].op;
}

static uint64_t new_name(Walk *walk) {
  return mix(0x66656e6365u, ++walk->fences_made);
}

static int32_t add_count(RmMap *counts, uint64_t number) {
  int32_t count = (int32_t)rm_map_or(counts, number, 0) + 1;
  rm_map_set(counts, number, count);
  return count;
}

/*===-- Names -------------------------------------------------------------===*/

/* Whether cse may merge `op` with an equal one. */
static bool is_mergeable(const Walk *walk, int32_t op) {
  const RmOp *info = op_of(walk, op);
  return info->movable || info->recomputable;
}

static bool is_outside(const Walk *walk, int32_t value, int32_t begin) {
  int32_t maker = maker_of(walk, value);
  return maker < 0 || walk->latest[maker] < begin;
}

/* Whether the open fence, of the region from `begin` on, has `value`. */
static bool is_fenced(const Walk *walk, int32_t value, int32_t begin) {
  return begin >= 0 && walk->opened[value] == begin;
}

/* The name under which a step reads `value`, in the region from `begin` on or,
 * for -1, in no region. */
static uint64_t name_read(const Walk *walk, int32_t value, int32_t begin) {
  bool fenced = is_fenced(walk, value, begin) && is_outside(walk, value, begin);
  return fenced ? walk->inside[value] : walk->name[value];
}

static uint64_t number_of(const Walk *walk, int32_t op, int32_t begin) {
  uint64_t number = mix(walk->shapes[op].kind, 1);
  if (!is_mergeable(walk, op))
    number = mix(number, (uint64_t)op + 1);
  for (int32_t i = 0; i < op_of(walk, op)->num_inputs; ++i)
    number = mix(number, name_read(walk, input_of(walk, op, i), begin));
  return number;
}

static void name_results(Walk *walk, int32_t op, uint64_t number,
                         int32_t begin) {
  const RmOp *info = op_of(walk, op);
  for (int32_t i = 0; i < info->num_results; ++i) {
    uint64_t *name = &walk->name[info->first_result + i];
    if (walk->shapes[op].identity == RM_FENCE)
      *name = new_name(walk);
    else if (walk->shapes[op].identity == RM_CHECKPOINT && info->num_inputs)
      *name = name_read(walk, input_of(walk, op, 0), begin);
    else
      *name = mix(number, (uint64_t)i + 1);
  }
}

/* Numbers the input itself, to know which of its own ops are equal. */
static void number_input(Walk *walk) {
  for (size_t v = 0; v < walk->graph->values.count; ++v)
    walk->name[v] = mix(0x617267u, v);
  for (int32_t op = 0; op < (int32_t)walk->graph->ops.count; ++op) {
    uint64_t number = number_of(walk, op, -1);
    name_results(walk, op, number, -1);
    if (walk->shapes[op].identity == RM_NO_IDENTITY && is_mergeable(walk, op))
      add_count(&walk->before, number);
  }
}

/*===-- What to wait for --------------------------------------------------===*/

/* The first step from `end` on that reads what the region makes. */
static int32_t find_consumer(const Walk *walk, int32_t begin, int32_t end) {
  const RmReaders *readers = &walk->readers;
  int32_t consumer = walk->schedule->count;
  for (int32_t step = begin; step < end; ++step)
    for (int32_t i = readers->first[step]; i < readers->first[step + 1]; ++i) {
      if (readers->items[i].step < end)
        continue;
      if (readers->items[i].step < consumer)
        consumer = readers->items[i].step;
      break;
    }
  return consumer;
}

/* Of `step`, the value that it made and that is read latest. */
static const RmReader *last_reader(const Walk *walk, int32_t step) {
  const RmReaders *readers = &walk->readers;
  int32_t end = readers->first[step + 1];
  return end == readers->first[step] ? NULL : &readers->items[end - 1];
}

static bool is_read_from(const Walk *walk, int32_t step, int32_t end) {
  const RmReader *last = last_reader(walk, step);
  return last && last->step >= end;
}

/* Among what the consumer reads, the latest made before the region; only if it
 * is not made again before the consumer reads it. */
static int32_t wait_for_input(const Walk *walk, int32_t begin,
                              int32_t consumer) {
  if (consumer == walk->schedule->count)
    return -1;
  int32_t op = walk->schedule->steps[consumer], best = -1, best_made = -1;
  for (int32_t i = 0; i < op_of(walk, op)->num_inputs; ++i) {
    int32_t value = input_of(walk, op, i);
    int32_t maker = maker_of(walk, value);
    int32_t made = maker < 0 ? -1 : walk->latest[maker];
    if (made > best_made && made < begin && !is_fenced(walk, value, begin) &&
        is_read_from(walk, made, consumer))
      best = value, best_made = made;
  }
  return best;
}

/* The latest made value that the region does not start from and that is read
 * after it. */
static int32_t wait_for_live(Walk *walk, int32_t begin, int32_t end) {
  int32_t *link = &walk->newest;
  while (*link >= 0) {
    int32_t step = *link;
    if (!is_read_from(walk, step, end)) {
      *link = walk->older[step];
      continue;
    }
    int32_t value = last_reader(walk, step)->value;
    if (step < begin && !is_fenced(walk, value, begin))
      return value;
    link = &walk->older[step];
  }
  return -1;
}

static int32_t choose_after(Walk *walk, int32_t begin, int32_t end) {
  int32_t consumer = find_consumer(walk, begin, end);
  int32_t value = wait_for_input(walk, begin, consumer);
  return value >= 0 ? value : wait_for_live(walk, begin, end);
}

/*===-- Regions -----------------------------------------------------------===*/

static void add_from(Walk *walk, int32_t value, int32_t begin, int32_t end) {
  RmFrom from = {.value = value, .begin = begin, .end = end};
  rm_vec_push(walk->pool, &walk->fences.from, from);
}

/* A value that an op computed before this run of recomputed steps is saved. */
static void mark_saved(Walk *walk, int32_t value) {
  int32_t maker = maker_of(walk, value), step = walk->latest[maker];
  if (step >= walk->run_begin || walk->shapes[maker].identity != RM_NO_IDENTITY)
    return;
  int32_t result = value - op_of(walk, maker)->first_result;
  walk->fences.saved[walk->fences.first_instance[step] + result] = 1;
}

/* All steps of the region from `step` on read `value` behind the fence. */
static void open_value(Walk *walk, int32_t value, int32_t step, int32_t begin) {
  add_from(walk, value, step, INT32_MAX);
  walk->opened[value] = begin;
  walk->inside[value] = new_name(walk);
}

static void fence_input(Walk *walk, int32_t value, int32_t begin) {
  if (maker_of(walk, value) < 0 || !is_outside(walk, value, begin) ||
      is_fenced(walk, value, begin))
    return;
  open_value(walk, value, begin, begin);
  mark_saved(walk, value);
}

/* What a fence before the region can give the clone of `op` a name of its own
 * for: what an op computed, if there is any, else an argument; or -1. */
static int32_t choose_outside(const Walk *walk, int32_t op, int32_t begin) {
  int32_t best = -1;
  for (int32_t i = 0; i < op_of(walk, op)->num_inputs; ++i) {
    int32_t value = input_of(walk, op, i);
    if (is_outside(walk, value, begin) &&
        (best < 0 || (maker_of(walk, best) < 0 && maker_of(walk, value) >= 0)))
      best = value;
  }
  return best;
}

/* Keeps cse from merging the clone at `step`, whose number changes; false if
 * only a fence that stands later can. */
static bool keep_apart(Walk *walk, int32_t step, int32_t begin,
                       uint64_t *number) {
  int32_t op = walk->schedule->steps[step];
  int32_t value = choose_outside(walk, op, begin);
  if (value < 0 && !walk->shapes[op].has_own_input)
    return false;
  if (value < 0 || is_fenced(walk, value, begin)) {
    add_from(walk, value, step, step + 1);
    *number = mix(*number, new_name(walk));
  } else {
    open_value(walk, value, step, begin);
    *number = number_of(walk, op, begin);
  }
  return true;
}

/* An op that does not cannot be kept apart. */
static bool reads_anything(const Walk *walk, int32_t op) {
  return op_of(walk, op)->num_inputs || walk->shapes[op].has_own_input;
}

/* Adds the clone at `step` to the region; false if a new one must begin. */
static bool add_clone(Walk *walk, int32_t step, int32_t begin) {
  int32_t op = walk->schedule->steps[step];
  if (walk->latest[op] >= begin)
    return false;
  for (int32_t i = 0; i < op_of(walk, op)->num_inputs; ++i)
    fence_input(walk, input_of(walk, op, i), begin);
  uint64_t number = number_of(walk, op, begin);
  if (walk->shapes[op].identity == RM_NO_IDENTITY && reads_anything(walk, op)) {
    if (rm_map_or(&walk->now, number, 0) &&
        !keep_apart(walk, step, begin, &number))
      return false;
    add_count(&walk->now, number);
  }
  name_results(walk, op, number, begin);
  return true;
}

static void step_done(Walk *walk, int32_t step) {
  walk->latest[walk->schedule->steps[step]] = step;
  walk->older[step] = walk->newest;
  walk->newest = step;
}

static void close_region(Walk *walk, int32_t begin, int32_t end,
                         size_t first_from) {
  size_t count = walk->fences.from.count - first_from;
  if (!count)
    return;
  RmFence fence = {.begin = begin,
                   .end = end,
                   .first = (int32_t)first_from,
                   .count = (int32_t)count,
                   .after = choose_after(walk, begin, end)};
  if (fence.after >= 0)
    walk->name[fence.after] = new_name(walk);
  rm_vec_push(walk->pool, &walk->fences.items, fence);
}

/* Returns where the region that begins at `begin` ends. */
static int32_t place_region(Walk *walk, int32_t begin) {
  size_t first_from = walk->fences.from.count;
  int32_t step = begin;
  while (step < walk->schedule->count &&
         walk->latest[walk->schedule->steps[step]] >= 0 &&
         add_clone(walk, step, begin))
    step_done(walk, step++);
  close_region(walk, begin, step, first_from);
  return step;
}

/*===-- First runs --------------------------------------------------------===*/

/* Gives the op at `step`, which cse would merge with an equal one, a name of
 * its own for one input: out of the fence just before it if that can be. The
 * op's number is returned. */
static uint64_t fence_first_run(Walk *walk, int32_t step, int32_t value) {
  int32_t op = walk->schedule->steps[step];
  RmFences *fences = &walk->fences;
  RmFence *last = fences->items.count
                      ? &fences->items.items[fences->items.count - 1]
                      : NULL;
  if (last && last->end == step && last->after != value &&
      is_outside(walk, value, last->begin)) {
    add_from(walk, value, step, step + 1);
    ++last->count;
    return mix(number_of(walk, op, -1), new_name(walk));
  }
  RmFence fence = {.begin = step,
                   .end = step + 1,
                   .first = (int32_t)fences->from.count,
                   .count = 1,
                   .after = -1,
                   .renames = true};
  add_from(walk, value, step, INT32_MAX);
  walk->name[value] = new_name(walk);
  rm_vec_push(walk->pool, &fences->items, fence);
  return number_of(walk, op, -1);
}

static void place_first_run(Walk *walk, int32_t step) {
  int32_t op = walk->schedule->steps[step], value = -1;
  uint64_t number = number_of(walk, op, -1);
  if (walk->shapes[op].identity == RM_NO_IDENTITY && is_mergeable(walk, op)) {
    for (int32_t i = op_of(walk, op)->num_inputs; i-- > 0;)
      if (maker_of(walk, input_of(walk, op, i)) >= 0)
        value = input_of(walk, op, i);
    int64_t allowed = rm_map_or(&walk->before, number, 1);
    if (rm_map_or(&walk->now, number, 0) >= allowed && value >= 0)
      number = fence_first_run(walk, step, value);
    add_count(&walk->now, number);
  }
  name_results(walk, op, number, -1);
  step_done(walk, step);
  walk->run_begin = step + 1;
}

/*===-- Whole schedules ---------------------------------------------------===*/

static int32_t count_instances(Walk *walk) {
  int32_t instances = 0;
  for (int32_t step = 0; step < walk->schedule->count; ++step) {
    walk->fences.first_instance[step] = instances;
    instances += op_of(walk, walk->schedule->steps[step])->num_results;
  }
  return instances;
}

RmFences rm_fences_place(const RmGraph *graph, const RmSchedule *schedule,
                         const RmOpShape *shapes, RmPool *pool) {
  size_t ops = graph->ops.count, values = graph->values.count;
  int32_t steps = schedule->count;
  Walk walk = {.graph = graph,
               .schedule = schedule,
               .shapes = shapes,
               .pool = pool,
               .readers = rm_readers_find(graph, schedule, pool),
               .latest = RM_NEW_ARRAY(pool, int32_t, ops),
               .older = RM_NEW_ARRAY(pool, int32_t, steps),
               .newest = -1,
               .name = RM_NEW_ARRAY(pool, uint64_t, values),
               .inside = RM_NEW_ARRAY(pool, uint64_t, values),
               .opened = RM_NEW_ARRAY(pool, int32_t, values),
               .before = rm_map_create(pool),
               .now = rm_map_create(pool)};
  walk.fences.first_instance = RM_NEW_ARRAY(pool, int32_t, steps + 1);
  walk.fences.saved = RM_NEW_ARRAY(pool, uint8_t, count_instances(&walk) + 1);
  memset(walk.latest, -1, ops * sizeof *walk.latest);
  memset(walk.opened, -1, values * sizeof *walk.opened);
  number_input(&walk);
  for (int32_t step = 0; step < steps;) {
    if (walk.latest[schedule->steps[step]] >= 0)
      step = place_region(&walk, step);
    else
      place_first_run(&walk, step++);
  }
  return walk.fences;
}

RmSchedule rm_schedule_without_dead(const RmGraph *graph,
                                    const RmSchedule *schedule, RmPool *pool) {
  RmReaders readers = rm_readers_find(graph, schedule, pool);
  int32_t count = schedule->count, kept = 0;
  uint8_t *stays = RM_NEW_ARRAY(pool, uint8_t, count + 1);
  uint8_t *first = RM_NEW_ARRAY(pool, uint8_t, count);
  uint8_t *ran = RM_NEW_ARRAY(pool, uint8_t, graph->ops.count);
  for (int32_t step = 0; step < count; ++step) {
    first[step] = !ran[schedule->steps[step]];
    ran[schedule->steps[step]] = 1;
  }
  stays[count] = 1; /* the function's return */
  for (int32_t step = count; step-- > 0;) {
    stays[step] = first[step];
    for (int32_t i = readers.first[step]; i < readers.first[step + 1]; ++i)
      stays[step] |= stays[readers.items[i].step];
  }
  RmSchedule result = {.steps = RM_NEW_ARRAY(pool, int32_t, count)};
  for (int32_t step = 0; step < count; ++step)
    if (stays[step])
      result.steps[kept++] = schedule->steps[step];
  result.count = kept;
  return result;
}
