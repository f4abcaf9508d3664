/* lib/plan/views.c - planning without views.
 *
 * On the way back each storage has a version, counted up whenever it is made;
 * a view remembers the version it was made from and is made again when a
 * reader finds it out of date. */
#include "plan/views.h"

#include <string.h>

/* What the op reads beside `viewed` must weigh nothing, for its life will
 * follow the view's readers, unseen by the strategies. */
static bool others_weigh_nothing(const RmGraph *g, const RmOp *op,
                                 int32_t viewed) {
  for (int32_t i = 0; i < op->num_inputs; ++i) {
    int32_t value = g->inputs.items[op->first_input + i];
    const RmValue *storage = &g->values.items[rm_graph_storage(g, value)];
    if (value != viewed && storage->counted && storage->bytes)
      return false;
  }
  return true;
}

static bool is_removed(const RmGraph *g, const RmOp *op) {
  if (!op->recomputable || op->workspace || !op->num_results)
    return false;
  for (int32_t i = 0; i < op->num_results; ++i) {
    int32_t viewed = g->values.items[op->first_result + i].alias;
    if (viewed < 0 || !others_weigh_nothing(g, op, viewed))
      return false;
  }
  return true;
}

typedef struct Flattening {
  const RmGraph *whole;
  RmGraph *flat;
  RmPool *pool;
  int32_t *storage; /* by whole value: the flat value that holds its bytes */
  int32_t *token;   /* by whole value: a flat value without bytes that must be
                       made first, or -1 */
} Flattening;

static void add_inputs(Flattening *f, const RmOp *op, int32_t id,
                       RmIntVec *inputs) {
  inputs->count = 0;
  for (int32_t i = 0; i < op->num_inputs; ++i) {
    int32_t value = rm_op_inputs(f->whole, id)[i];
    rm_vec_push(f->pool, inputs, f->storage[value]);
    if (f->token[value] >= 0)
      rm_vec_push(f->pool, inputs, f->token[value]);
  }
}

/* The storage may not be made again: a view that stays depends on it. */
static void hold(Flattening *f, int32_t flat_value) {
  int32_t op = f->flat->values.items[flat_value].op;
  if (op >= 0)
    f->flat->ops.items[op].recomputable = false;
}

static void add_results(Flattening *f, const RmOp *op) {
  for (int32_t i = 0; i < op->num_results; ++i) {
    int32_t value = op->first_result + i;
    const RmValue *v = &f->whole->values.items[value];
    int32_t made = rm_graph_result(f->flat, v->bytes);
    RmValue *flat = &f->flat->values.items[made];
    flat->counted = v->counted;
    flat->returned = v->returned;
    f->token[value] = -1;
    f->storage[value] = made;
    if (v->alias < 0)
      continue;
    hold(f, f->storage[v->alias]);
    f->token[value] = made;
    f->storage[value] = f->storage[v->alias];
  }
}

static void add_op(Flattening *f, int32_t id, RmIntVec *inputs) {
  const RmOp *op = &f->whole->ops.items[id];
  add_inputs(f, op, id, inputs);
  int32_t made = rm_graph_op(f->flat, op->cost, op->workspace, inputs->items,
                             (int32_t)inputs->count, op->recomputable);
  f->flat->ops.items[made].movable = op->movable;
  add_results(f, op);
}

/* A view is of one input; what else its op reads (a size, an order) must only
 * exist, which the readers of the view cannot outrun. */
static void forward_views(Flattening *f, const RmOp *op) {
  for (int32_t i = 0; i < op->num_results; ++i) {
    int32_t value = op->first_result + i;
    int32_t of = f->whole->values.items[value].alias;
    f->storage[value] = f->storage[of];
    f->token[value] = f->token[of];
    if (f->whole->values.items[value].returned)
      f->flat->values.items[f->storage[of]].returned = true;
  }
}

static void add_arguments(Flattening *f) {
  for (size_t v = 0; v < f->whole->values.count; ++v) {
    f->token[v] = -1;
    if (f->whole->values.items[v].op < 0)
      f->storage[v] =
          rm_graph_argument(f->flat, f->whole->values.items[v].bytes);
  }
}

RmFlat rm_flat_create(const RmGraph *whole, RmPool *pool) {
  Flattening f = {.whole = whole,
                  .flat = rm_graph_create(pool),
                  .pool = pool,
                  .storage = RM_NEW_ARRAY(pool, int32_t, whole->values.count),
                  .token = RM_NEW_ARRAY(pool, int32_t, whole->values.count)};
  RmFlat result = {.whole = whole, .graph = f.flat};
  RmIntVec inputs = {0}, kept = {0};
  add_arguments(&f);
  for (int32_t id = 0; id < (int32_t)whole->ops.count; ++id) {
    const RmOp *op = &whole->ops.items[id];
    if (is_removed(whole, op)) {
      forward_views(&f, op);
      continue;
    }
    add_op(&f, id, &inputs);
    rm_vec_push(pool, &kept, id);
  }
  result.whole_op = kept.items;
  return result;
}

typedef struct Expansion {
  const RmGraph *whole;
  RmPool *pool;
  RmIntVec steps;
  int32_t *made_at; /* by whole value: steps so far when it was made, from 1 */
} Expansion;

static void run(Expansion *e, int32_t op) {
  const RmOp *info = &e->whole->ops.items[op];
  rm_vec_push(e->pool, &e->steps, op);
  for (int32_t i = 0; i < info->num_results; ++i)
    e->made_at[info->first_result + i] = (int32_t)e->steps.count;
}

/* Makes the inputs of `op` that are removed views, where they are missing or
 * older than what they view. Chains of views are short. */
static void bring_inputs(Expansion *e, int32_t op);

static bool is_current(const Expansion *e, int32_t op) {
  int32_t made = e->made_at[e->whole->ops.items[op].first_result];
  if (!made)
    return false;
  for (int32_t i = 0; i < e->whole->ops.items[op].num_inputs; ++i)
    if (e->made_at[rm_op_inputs(e->whole, op)[i]] > made)
      return false;
  return true;
}

static void bring_value(Expansion *e, int32_t value) {
  int32_t op = e->whole->values.items[value].op;
  if (op < 0 || !is_removed(e->whole, &e->whole->ops.items[op]))
    return;
  bring_inputs(e, op);
  if (!is_current(e, op))
    run(e, op);
}

static void bring_inputs(Expansion *e, int32_t op) {
  for (int32_t i = 0; i < e->whole->ops.items[op].num_inputs; ++i)
    bring_value(e, rm_op_inputs(e->whole, op)[i]);
}

/* By whole op: whether some op reads a result of it. */
static bool *find_read_views(const RmGraph *g, RmPool *pool) {
  bool *read = RM_NEW_ARRAY(pool, bool, g->ops.count);
  for (size_t i = 0; i < g->inputs.count; ++i)
    if (g->values.items[g->inputs.items[i]].op >= 0)
      read[g->values.items[g->inputs.items[i]].op] = true;
  return read;
}

/* Views that no op reads (they are returned, or dead) stand right behind what
 * they view, where they hold nothing longer. */
static void run_unread(Expansion *e, int32_t after, const RmIntVec *unread_of) {
  for (size_t i = 0; i < unread_of[after].count; ++i) {
    int32_t view = unread_of[after].items[i];
    if (e->made_at[e->whole->ops.items[view].first_result])
      continue;
    bring_inputs(e, view);
    run(e, view);
  }
}

/* The op of the flat graph after whose first run an unread view can stand: the
 * last maker among what it reads, through other views. */
static int32_t last_maker(const RmGraph *g, int32_t op) {
  int32_t last = -1;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
    if (maker >= 0 && is_removed(g, &g->ops.items[maker]))
      maker = last_maker(g, maker);
    last = maker > last ? maker : last;
  }
  return last;
}

RmSchedule rm_flat_expand(const RmFlat *flat, const RmSchedule *schedule,
                          RmPool *pool) {
  const RmGraph *g = flat->whole;
  Expansion e = {.whole = g,
                 .pool = pool,
                 .made_at = RM_NEW_ARRAY(pool, int32_t, g->values.count)};
  const bool *read = find_read_views(g, pool);
  /* By whole op + 1 (0: arguments only): the unread views it allows. */
  RmIntVec *unread = RM_NEW_ARRAY(pool, RmIntVec, g->ops.count + 1);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (!read[op] && is_removed(g, &g->ops.items[op]))
      rm_vec_push(pool, &unread[last_maker(g, op) + 1], op);
  run_unread(&e, 0, unread);
  for (int32_t i = 0; i < schedule->count; ++i) {
    int32_t op = flat->whole_op[schedule->steps[i]];
    bring_inputs(&e, op);
    run(&e, op);
    run_unread(&e, op + 1, unread);
  }
  return (RmSchedule){e.steps.items, (int32_t)e.steps.count};
}
