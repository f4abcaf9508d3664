/* lib/graph/graph.c - building a graph, and counting what a schedule holds.
 *
 * rm_schedule_live walks the steps once to find, for each instance of a
 * storage, the step that makes it and the step that reads it last, and adds
 * its bytes to a difference array. Views pass their reads on to the instance
 * they were made from, which may be older than the storage's latest. */
#include "graph/graph.h"

#include "support/map.h"
#include "support/require.h"

#include <string.h>

RmGraph *rm_graph_create(RmPool *pool) {
  RmGraph *graph = RM_NEW(pool, RmGraph);
  graph->pool = pool;
  return graph;
}

static int32_t add_value(RmGraph *graph, RmValue value) {
  rm_vec_push(graph->pool, &graph->values, value);
  return (int32_t)graph->values.count - 1;
}

int32_t rm_graph_argument(RmGraph *graph, int64_t bytes) {
  return add_value(graph, (RmValue){.bytes = bytes, .op = -1, .alias = -1});
}

static bool reads(const RmGraph *graph, const RmOp *op, int32_t value) {
  for (int32_t i = 0; i < op->num_inputs; ++i)
    if (graph->inputs.items[op->first_input + i] == value)
      return true;
  return false;
}

int32_t rm_graph_op(RmGraph *graph, int64_t cost, int64_t workspace,
                    const int32_t *inputs, int32_t num_inputs,
                    bool recomputable) {
  RmOp op = {.cost = cost,
             .workspace = workspace,
             .first_input = (int32_t)graph->inputs.count,
             .first_result = (int32_t)graph->values.count,
             .recomputable = recomputable,
             .movable = recomputable};
  for (int32_t i = 0; i < num_inputs; ++i) {
    rm_require(inputs[i] >= 0 && inputs[i] < (int32_t)graph->values.count,
               "inputs that are values of the graph");
    if (reads(graph, &op, inputs[i]))
      continue;
    rm_vec_push(graph->pool, &graph->inputs, inputs[i]);
    ++op.num_inputs;
  }
  rm_vec_push(graph->pool, &graph->ops, op);
  return (int32_t)graph->ops.count - 1;
}

static int32_t add_result(RmGraph *graph, RmValue value) {
  rm_require(graph->ops.count > 0, "an op before its results");
  RmOp *op = &graph->ops.items[graph->ops.count - 1];
  rm_require(op->first_result + op->num_results == (int32_t)graph->values.count,
             "results right after their op");
  ++op->num_results;
  value.op = (int32_t)graph->ops.count - 1;
  return add_value(graph, value);
}

int32_t rm_graph_result(RmGraph *graph, int64_t bytes) {
  return add_result(graph,
                    (RmValue){.bytes = bytes, .alias = -1, .counted = true});
}

int32_t rm_graph_copy_op(RmGraph *graph, const RmGraph *from, int32_t op,
                         const int32_t *inputs, int32_t num_inputs,
                         int32_t *renamed) {
  const RmOp *o = &from->ops.items[op];
  int32_t copy = rm_graph_op(graph, o->cost, o->workspace, inputs, num_inputs,
                             o->recomputable);
  graph->ops.items[copy].movable = o->movable;
  for (int32_t r = 0; r < o->num_results; ++r) {
    const RmValue *v = &from->values.items[o->first_result + r];
    int32_t value = rm_graph_result(graph, v->bytes);
    graph->values.items[value].counted = v->counted;
    graph->values.items[value].returned = v->returned;
    renamed[o->first_result + r] = value;
  }
  return copy;
}

int32_t rm_graph_view(RmGraph *graph, int32_t input) {
  return add_result(graph, (RmValue){.alias = input});
}

int32_t rm_graph_storage(const RmGraph *graph, int32_t value) {
  while (graph->values.items[value].alias >= 0)
    value = graph->values.items[value].alias;
  return value;
}

void rm_graph_return(RmGraph *graph, int32_t value) {
  graph->values.items[value].returned = true;
  graph->values.items[rm_graph_storage(graph, value)].counted = false;
}

RmSchedule rm_schedule_identity(const RmGraph *graph, RmPool *pool) {
  int32_t count = (int32_t)graph->ops.count;
  RmSchedule schedule = {RM_NEW_ARRAY(pool, int32_t, count), count};
  for (int32_t i = 0; i < count; ++i)
    schedule.steps[i] = i;
  return schedule;
}

RmSchedule rm_schedule_copy(const RmSchedule *schedule, RmPool *pool) {
  RmSchedule copy = {RM_NEW_ARRAY(pool, int32_t, schedule->count),
                     schedule->count};
  if (copy.count)
    memcpy(copy.steps, schedule->steps, sizeof *copy.steps * copy.count);
  return copy;
}

/* One materialisation of a storage. */
typedef struct Instance {
  int64_t bytes;
  int32_t value;
  int32_t first, last; /* steps */
} Instance;

typedef struct Lives {
  const RmGraph *graph;
  RmPool *pool;
  int32_t *current; /* by value: its latest instance, -1 if none */
  RM_VEC(Instance) instances;
} Lives;

static void read_inputs(Lives *lives, int32_t op, int32_t step) {
  const RmGraph *g = lives->graph;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t instance = lives->current[rm_op_inputs(g, op)[i]];
    if (instance >= 0)
      lives->instances.items[instance].last = step;
  }
}

static void make_results(Lives *lives, int32_t op, int32_t step) {
  const RmGraph *g = lives->graph;
  const RmOp *info = &g->ops.items[op];
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t value = info->first_result + i;
    const RmValue *v = &g->values.items[value];
    if (v->alias >= 0) {
      lives->current[value] = lives->current[v->alias];
      continue;
    }
    Instance made = {v->counted ? v->bytes : 0, value, step, step};
    lives->current[value] = (int32_t)lives->instances.count;
    rm_vec_push(lives->pool, &lives->instances, made);
  }
}

static Lives find_lives(const RmGraph *graph, const RmSchedule *schedule,
                        RmPool *pool) {
  Lives lives = {.graph = graph, .pool = pool};
  lives.current = RM_NEW_ARRAY(pool, int32_t, graph->values.count);
  for (size_t v = 0; v < graph->values.count; ++v)
    lives.current[v] = -1;
  for (int32_t step = 0; step < schedule->count; ++step) {
    read_inputs(&lives, schedule->steps[step], step);
    make_results(&lives, schedule->steps[step], step);
  }
  return lives;
}

int64_t *rm_schedule_live(const RmGraph *graph, const RmSchedule *schedule,
                          RmPool *pool) {
  Lives lives = find_lives(graph, schedule, pool);
  int64_t *live = RM_NEW_ARRAY(pool, int64_t, schedule->count + 1);
  for (size_t i = 0; i < lives.instances.count; ++i) {
    const Instance *made = &lives.instances.items[i];
    live[made->first] += made->bytes;
    live[made->last + 1] -= made->bytes;
  }
  for (int32_t step = 1; step < schedule->count; ++step)
    live[step] += live[step - 1];
  for (int32_t step = 0; step < schedule->count; ++step)
    live[step] += graph->ops.items[schedule->steps[step]].workspace;
  return live;
}

RmIntVec rm_schedule_alive(const RmGraph *graph, const RmSchedule *schedule,
                           int32_t step, RmPool *pool) {
  Lives lives = find_lives(graph, schedule, pool);
  RmIntVec alive = {0};
  for (size_t i = 0; i < lives.instances.count; ++i) {
    const Instance *made = &lives.instances.items[i];
    if (made->bytes && made->first <= step && step <= made->last)
      rm_vec_push(pool, &alive, made->value);
  }
  return alive;
}

int64_t rm_graph_cost(const RmGraph *graph) {
  int64_t cost = 0;
  for (size_t op = 0; op < graph->ops.count; ++op)
    cost += graph->ops.items[op].cost;
  return cost;
}

static uint64_t hash_number(int64_t number, uint64_t hash) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; ++i)
    bytes[i] = (unsigned char)((uint64_t)number >> 8 * i);
  return rm_hash_bytes(bytes, sizeof bytes, hash);
}

uint64_t rm_graph_hash(const RmGraph *graph) {
  uint64_t hash = 0;
  for (size_t i = 0; i < graph->ops.count; ++i) {
    const RmOp *op = &graph->ops.items[i];
    hash = hash_number(op->cost, hash);
    hash = hash_number(op->workspace, hash);
    hash = hash_number(op->num_inputs, hash);
    hash = hash_number(op->num_results * 2 + op->recomputable, hash);
  }
  for (size_t i = 0; i < graph->inputs.count; ++i)
    hash = hash_number(graph->inputs.items[i], hash);
  for (size_t v = 0; v < graph->values.count; ++v) {
    const RmValue *value = &graph->values.items[v];
    hash = hash_number(value->bytes * 2 + value->counted, hash);
    hash = hash_number(value->alias, hash);
  }
  return hash;
}

static void count_steps(const RmGraph *graph, const RmSchedule *schedule,
                        RmMeasure *measure, RmPool *pool) {
  int32_t *runs = RM_NEW_ARRAY(pool, int32_t, graph->ops.count);
  for (int32_t step = 0; step < schedule->count; ++step) {
    int32_t op = schedule->steps[step];
    measure->cost += graph->ops.items[op].cost;
    if (runs[op]++ == 0)
      continue;
    const RmOp *info = &graph->ops.items[op];
    for (int32_t i = 0; i < info->num_results; ++i)
      if (graph->values.items[info->first_result + i].alias < 0) {
        measure->recomputed += runs[op] == 2;
        measure->extra += i == 0;
      }
  }
}

RmMeasure rm_schedule_measure(const RmGraph *graph, const RmSchedule *schedule,
                              RmPool *pool) {
  RmMeasure measure = {.peak_step = -1};
  const int64_t *live = rm_schedule_live(graph, schedule, pool);
  for (int32_t step = 0; step < schedule->count; ++step) {
    if (measure.peak_step >= 0 && live[step] <= measure.peak)
      continue;
    measure.peak = live[step];
    measure.peak_step = step;
  }
  count_steps(graph, schedule, &measure, pool);
  return measure;
}
