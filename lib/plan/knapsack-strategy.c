/* lib/plan/knapsack-strategy.c - what to save for the backward, by a knapsack.
 *
 * As PyTorch's activation memory budget: of the ops whose values the backward
 * reads those are saved that cost most to run again, within a capacity of
 * bytes; all else is made again when it is first needed. What an op costs
 * includes what must run again before it that is never saved. How much of the
 * budget saved values may take is not known, for runs again need room too: the
 * capacity is corrected by what the plan's peak turns out to be. */
#include "plan/knapsack.h"
#include "plan/strategy.h"

enum { PARTS = 8, ROUNDS = 4, MOST_CLOSURE = 256 };

typedef struct Saving {
  const RmProblem *problem;
  RmPool *pool;
  const uint8_t *backward;
  uint8_t *is_item; /* by op */
  uint8_t *saved;
  RmIntVec ops; /* by item */
  RmItem *items;
  int32_t *seen, stamp; /* by op */
  RmBest best;
} Saving;

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

/* Bytes of each op's results that cross the border. */
static int64_t *count_bytes(const Saving *s) {
  const RmGraph *g = s->problem->graph;
  int64_t *bytes = RM_NEW_ARRAY(s->pool, int64_t, g->ops.count);
  uint8_t *read = RM_NEW_ARRAY(s->pool, uint8_t, g->values.count);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs && s->backward[op];
         ++i) {
      int32_t v = rm_op_inputs(g, op)[i];
      if (!weighs(g, v) || read[v] || s->backward[g->values.items[v].op])
        continue;
      read[v] = 1;
      bytes[g->values.items[v].op] += g->values.items[v].bytes;
    }
  return bytes;
}

static void add_makers(Saving *s, int32_t op, RmIntVec *list) {
  const RmGraph *g = s->problem->graph;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t v = rm_op_inputs(g, op)[i], maker = g->values.items[v].op;
    if (!weighs(g, v) || s->is_item[maker] || s->seen[maker] == s->stamp ||
        !g->ops.items[maker].recomputable)
      continue;
    s->seen[maker] = s->stamp;
    rm_vec_push(s->pool, list, maker);
  }
}

/* Of the op, and of those before it that are no items. */
static int64_t cost_again(Saving *s, int32_t op, RmIntVec *list) {
  int64_t cost = 0;
  list->count = 0;
  ++s->stamp;
  rm_vec_push(s->pool, list, op);
  for (size_t i = 0; i < list->count && i < MOST_CLOSURE; ++i) {
    cost += s->problem->graph->ops.items[list->items[i]].cost;
    add_makers(s, list->items[i], list);
  }
  return cost;
}

static int64_t list_items(Saving *s) {
  const RmGraph *g = s->problem->graph;
  int64_t *bytes = count_bytes(s), all = 0;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (bytes[op] && g->ops.items[op].recomputable) {
      s->is_item[op] = 1;
      rm_vec_push(s->pool, &s->ops, op);
    }
  s->items = RM_NEW_ARRAY(s->pool, RmItem, s->ops.count);
  RmIntVec list = {0};
  for (size_t i = 0; i < s->ops.count; ++i) {
    int32_t op = s->ops.items[i];
    s->items[i] = (RmItem){bytes[op], cost_again(s, op, &list)};
    all += bytes[op];
  }
  return all;
}

/* The peak of the plan. */
static int64_t try_capacity(Saving *s, int64_t capacity) {
  RmPool *scratch = rm_pool_branch(s->pool);
  RmKnapsack k =
      rm_knapsack(s->items, (int32_t)s->ops.count, capacity, scratch);
  for (size_t i = 0; i < s->ops.count; ++i)
    s->saved[s->ops.items[i]] = k.taken[i];
  RmSchedule schedule =
      rm_segment_schedule(s->problem->graph, s->backward, s->saved, scratch);
  RmMeasure m = rm_best_offer(&s->best, &schedule);
  rm_pool_destroy(scratch);
  return m.peak;
}

/* Looks at capacities evenly between the two, and comes back with the one that
 * serves best and its neighbours: the greatest that fits, else the least peak.
 */
static void look_between(Saving *s, int64_t *low, int64_t *high) {
  int64_t budget = s->problem->options->budget, step = (*high - *low) / PARTS;
  int64_t best = *low, least = INT64_MAX;
  for (int i = 0; i <= PARTS; ++i) {
    int64_t capacity = i < PARTS ? *low + i * step : *high;
    int64_t peak = try_capacity(s, capacity);
    if (peak > budget && peak >= least)
      continue;
    best = capacity;
    least = peak > budget ? peak : budget;
  }
  int64_t top = *high;
  *high = best + step < top ? best + step : top;
  *low = least <= budget || best < *low + step ? best : best - step;
}

/* With much saved what is saved takes the bytes, with little the runs again. */
static void find_capacity(Saving *s, int64_t all) {
  int64_t low = 0, high = all;
  for (int i = 0; i < ROUNDS && high - low > PARTS; ++i)
    look_between(s, &low, &high);
  if (!s->best.has_plan)
    look_between(s, &low, &high);
}

RmSchedule rm_strategy_knapsack(const RmProblem *problem, RmPool *pool) {
  size_t ops = problem->graph->ops.count;
  RmPool *scratch = rm_pool_branch(pool);
  Saving s = {.problem = problem, .pool = scratch};
  s.best = (RmBest){.problem = problem, .pool = scratch};
  s.backward = rm_border_find(problem->graph, problem->options, scratch);
  s.is_item = RM_NEW_ARRAY(scratch, uint8_t, ops);
  s.saved = RM_NEW_ARRAY(scratch, uint8_t, ops);
  s.seen = RM_NEW_ARRAY(scratch, int32_t, ops);
  find_capacity(&s, list_items(&s));
  RmSchedule found = rm_best_take(&s.best, pool);
  rm_pool_destroy(scratch);
  return found;
}
