/* lib/ir/readers.c - who reads what a step makes.
 *
 * A step reads the latest instance of each input. Two walks over the schedule:
 * one counts the readers of each step, the other writes them down. */
#include "ir/readers.h"

#include <string.h>

typedef struct Walk {
  const RmGraph *graph;
  const RmSchedule *schedule;
  int32_t *latest; /* by op: its latest step so far, or -1 */
  int32_t *at;     /* by step: readers so far, or where the next one goes */
  RmReader *items; /* null while counting */
} Walk;

static void read_value(Walk *walk, int32_t step, int32_t value) {
  int32_t maker = walk->graph->values.items[value].op;
  if (maker < 0)
    return;
  int32_t at = walk->at[walk->latest[maker]]++;
  if (walk->items)
    walk->items[at] = (RmReader){.step = step, .value = value};
}

static void walk_steps(Walk *walk) {
  const RmGraph *g = walk->graph;
  memset(walk->latest, -1, g->ops.count * sizeof *walk->latest);
  for (int32_t step = 0; step < walk->schedule->count; ++step) {
    int32_t op = walk->schedule->steps[step];
    for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
      read_value(walk, step, rm_op_inputs(g, op)[i]);
    walk->latest[op] = step;
  }
  for (size_t v = 0; v < g->values.count; ++v)
    if (g->values.items[v].returned)
      read_value(walk, walk->schedule->count, (int32_t)v);
}

RmReaders rm_readers_find(const RmGraph *graph, const RmSchedule *schedule,
                          RmPool *pool) {
  int32_t steps = schedule->count;
  RmReaders readers = {.first = RM_NEW_ARRAY(pool, int32_t, steps + 1)};
  Walk walk = {.graph = graph,
               .schedule = schedule,
               .latest = RM_NEW_ARRAY(pool, int32_t, graph->ops.count),
               .at = RM_NEW_ARRAY(pool, int32_t, steps + 1)};
  walk_steps(&walk);
  for (int32_t step = 0; step < steps; ++step) {
    readers.first[step + 1] = readers.first[step] + walk.at[step];
    walk.at[step] = readers.first[step];
  }
  walk.items = RM_NEW_ARRAY(pool, RmReader, readers.first[steps] + 1);
  walk_steps(&walk);
  readers.items = walk.items;
  return readers;
}
