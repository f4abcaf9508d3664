/* lib/plan/layers-strategy.c - plan a few of many equal layers, and unroll.
 *
 *     graph, budget -> thinner graph, its part of the budget -> its plan
 *     -> each layer as its like in there -> search, for what does not meet
 *
 * Layers in the middle of each tower are left out, and what read them reads
 * the layers before or after in their place. In the plan of what remains each
 * layer has its like, and takes what is run again right before that one, for
 * the layers that stand to it as there. The first and the last layers have
 * their own; those between take the others in turn, so that neighbours there
 * are neighbours here and plans that hold one value for several layers go on,
 * but for one border in each turn. Without many equal layers nothing is
 * recomputed. */
#include "plan/layers.h"
#include "plan/strategy.h"

#include <assert.h>

enum {
  THINNER = 8,       /* the graph by so much: few turns, and few borders */
  FEWEST_OPS = 800,  /* but not below these */
  LEAST_LAYERS = 12, /* of a tower, for a turn */
  OWN_LAYERS = 3     /* at each end */
};

/* The layers that all stacks of a tower have, and those of them left out. */
typedef struct Tower {
  int32_t low, high, gap_low, gap_high;
  int32_t length; /* ops of a layer */
  int64_t bytes;  /* made in a layer */
} Tower;

typedef struct Thinning {
  const RmGraph *graph;
  RmLayers layers;
  Tower *towers;
  RmGraph *thin;
  int32_t *thin_of;  /* by op; -1: left out */
  int32_t *original; /* by op of the thinner graph */
  double share;      /* of the bytes made in layers that are still made */
} Thinning;

/*===-- What is left out --------------------------------------------------===*/

static void measure_towers(Thinning *t, RmPool *pool) {
  t->towers = RM_NEW_ARRAY(pool, Tower, t->layers.num_towers);
  for (int32_t i = 0; i < t->layers.num_towers; ++i)
    t->towers[i] = (Tower){.low = INT32_MIN, .high = INT32_MAX};
  for (size_t i = 0; i < t->layers.stacks.count; ++i) {
    const RmStack *s = &t->layers.stacks.items[i];
    Tower *tower = &t->towers[s->tower];
    int32_t a = s->offset, b = s->offset + s->sign * (s->copies - 1);
    int32_t low = a < b ? a : b, high = (a < b ? b : a) + 1;
    tower->low = low > tower->low ? low : tower->low;
    tower->high = high < tower->high ? high : tower->high;
    tower->high = tower->high < tower->low ? tower->low : tower->high;
    tower->length += s->length;
    for (int32_t op = s->first; op < s->first + s->length; ++op)
      for (int32_t r = 0; r < t->graph->ops.items[op].num_results; ++r)
        tower->bytes +=
            t->graph->values.items[t->graph->ops.items[op].first_result + r]
                .bytes;
  }
}

/* The same part of each tower stays. */
static void choose_gaps(Thinning *t) {
  double in_layers = 0, all = (double)t->graph->ops.count;
  for (int32_t i = 0; i < t->layers.num_towers; ++i) {
    const Tower *tower = &t->towers[i];
    if (tower->high - tower->low > LEAST_LAYERS)
      in_layers += (double)(tower->high - tower->low) * tower->length;
  }
  double wanted = all / THINNER > FEWEST_OPS ? all / THINNER : FEWEST_OPS;
  double part = (wanted - (all - in_layers)) / (in_layers + 1);
  double made = 0, kept = 0;
  for (int32_t i = 0; i < t->layers.num_towers; ++i) {
    Tower *tower = &t->towers[i];
    int32_t count = tower->high - tower->low;
    int32_t stay = (int32_t)(part * count);
    stay = stay < LEAST_LAYERS ? LEAST_LAYERS : stay;
    stay = stay > count ? count : stay;
    tower->gap_low = tower->low + stay / 2;
    tower->gap_high = tower->gap_low + count - stay;
    made += (double)tower->bytes * count;
    kept += (double)tower->bytes * stay;
  }
  t->share = made > 0 ? kept / made : 1;
}

static const RmStack *stack_of(const Thinning *t, int32_t op) {
  int32_t stack = t->layers.stack_of[op];
  return stack < 0 ? NULL : &t->layers.stacks.items[stack];
}

static bool is_left_out(const Thinning *t, int32_t op) {
  const RmStack *s = stack_of(t, op);
  if (!s)
    return false;
  int32_t layer = rm_layer_of(s, op);
  const Tower *tower = &t->towers[s->tower];
  return layer >= tower->gap_low && layer < tower->gap_high;
}

/* The op that `reader` reads of in the place of `maker`, which is left out: as
 * many layers from its own when the gap is closed. -1 if there is none. */
static int32_t stand_in(const Thinning *t, int32_t maker, int32_t reader) {
  const RmStack *of = stack_of(t, maker), *by = stack_of(t, reader);
  if (!by || by->tower != of->tower)
    return -1;
  const Tower *tower = &t->towers[of->tower];
  int32_t gap = tower->gap_high - tower->gap_low;
  bool is_after = rm_layer_of(by, reader) >= tower->gap_high;
  int32_t twin = rm_layer_twin(
      of, maker, rm_layer_of(of, maker) + (is_after ? -gap : gap));
  return twin >= 0 && twin < reader && t->thin_of[twin] >= 0 ? twin : -1;
}

/*===-- The thinner graph -------------------------------------------------===*/

/* The value in the thinner graph that `reader` reads for `input`, or -1. */
static int32_t thin_input(const Thinning *t, const int32_t *renamed,
                          int32_t input, int32_t reader) {
  int32_t maker = t->graph->values.items[input].op;
  if (maker < 0 || t->thin_of[maker] >= 0)
    return renamed[input];
  int32_t twin = stand_in(t, maker, reader);
  if (twin < 0)
    return -1;
  return renamed[t->graph->ops.items[twin].first_result +
                 (input - t->graph->ops.items[maker].first_result)];
}

static void add_op(Thinning *t, int32_t op, int32_t *renamed, RmPool *pool) {
  const RmOp *o = &t->graph->ops.items[op];
  int32_t *inputs = RM_NEW_ARRAY(pool, int32_t, o->num_inputs), count = 0;
  for (int32_t i = 0; i < o->num_inputs; ++i) {
    int32_t value = thin_input(t, renamed, rm_op_inputs(t->graph, op)[i], op);
    if (value >= 0)
      inputs[count++] = value;
  }
  t->thin_of[op] =
      rm_graph_copy_op(t->thin, t->graph, op, inputs, count, renamed);
  t->original[t->thin_of[op]] = op;
}

static void make_thin_graph(Thinning *t, RmPool *pool) {
  int32_t count = (int32_t)t->graph->ops.count;
  RmPool *scratch = rm_pool_branch(pool);
  int32_t *renamed = RM_NEW_ARRAY(scratch, int32_t, t->graph->values.count);
  t->thin = rm_graph_create(pool);
  t->thin_of = RM_NEW_ARRAY(pool, int32_t, count);
  t->original = RM_NEW_ARRAY(pool, int32_t, count);
  for (int32_t v = 0; v < (int32_t)t->graph->values.count; ++v)
    if (t->graph->values.items[v].op < 0)
      renamed[v] = rm_graph_argument(t->thin, t->graph->values.items[v].bytes);
  for (int32_t op = 0; op < count; ++op) {
    t->thin_of[op] = -1;
    if (!is_left_out(t, op))
      add_op(t, op, renamed, scratch);
  }
  rm_pool_destroy(scratch);
}

static int64_t peak_of(const RmGraph *graph, RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  RmSchedule all = rm_schedule_identity(graph, scratch);
  int64_t peak = rm_schedule_measure(graph, &all, scratch).peak;
  rm_pool_destroy(scratch);
  return peak;
}

/* What the peak has beside layers is in both; of the rest as much as is left of
 * them. */
static int64_t thin_budget(const Thinning *t, int64_t budget, RmPool *pool) {
  double whole = (double)peak_of(t->graph, pool);
  double thin = (double)peak_of(t->thin, pool);
  double beside = (thin - t->share * whole) / (1 - t->share);
  beside = beside < 0 ? 0 : beside;
  return (int64_t)(beside + t->share * ((double)budget - beside));
}

/*===-- Unrolling ---------------------------------------------------------===*/

/* By op of the thinner graph, and one more: where in its plan begins what is
 * run before the op, which ends with it. */
static int32_t *find_regions(const Thinning *t, const RmSchedule *plan,
                             RmPool *pool) {
  int32_t *first = RM_NEW_ARRAY(pool, int32_t, t->thin->ops.count + 1), op = 0;
  for (int32_t i = 0; i < plan->count; ++i)
    if (plan->steps[i] == op)
      first[++op] = i + 1;
  return first;
}

/* The layers of a tower when its gap is closed, and back. */
static int32_t close_gap(const Tower *tower, int32_t layer) {
  int32_t gap = tower->gap_high - tower->gap_low;
  return layer < tower->gap_low ? layer : layer - gap;
}

static int32_t open_gap(const Tower *tower, int32_t closed) {
  int32_t gap = tower->gap_high - tower->gap_low;
  return closed < tower->gap_low ? closed : closed + gap;
}

/* The layer of the thinner graph, as numbered there, that `layer` is like. */
static int32_t like(const Tower *tower, int32_t layer) {
  int32_t gap = tower->gap_high - tower->gap_low;
  int32_t first = tower->low + OWN_LAYERS, last = tower->high - OWN_LAYERS;
  if (layer < first || gap == 0)
    return layer;
  if (layer >= last)
    return layer - gap;
  return first + (layer - first) % (last - first - gap);
}

/* The op in the place of `again`, which runs before `there` in the plan of the
 * thinner graph (both as numbered in the whole), before `op`; -1 for none. */
static int32_t unrolled(const Thinning *t, int32_t op, int32_t there,
                        int32_t again) {
  const RmStack *s = stack_of(t, op), *of = stack_of(t, again);
  if (s && of && s->tower == of->tower) {
    const Tower *tower = &t->towers[s->tower];
    int32_t away = close_gap(tower, rm_layer_of(of, again)) -
                   close_gap(tower, rm_layer_of(s, there));
    again = rm_layer_twin(of, again, rm_layer_of(s, op) + away);
  }
  return again < op ? again : -1;
}

static RmSchedule unroll(const Thinning *t, const RmSchedule *plan,
                         RmPool *pool) {
  const int32_t *first = find_regions(t, plan, pool);
  RmIntVec steps = {0};
  for (int32_t op = 0; op < (int32_t)t->graph->ops.count; ++op) {
    const RmStack *s = stack_of(t, op);
    int32_t there = op;
    if (s) {
      const Tower *tower = &t->towers[s->tower];
      there = rm_layer_twin(s, op,
                            open_gap(tower, like(tower, rm_layer_of(s, op))));
      assert(there >= 0 && t->thin_of[there] >= 0);
    }
    int32_t thin = t->thin_of[there];
    for (int32_t i = first[thin]; i < first[thin + 1] - 1; ++i) {
      int32_t again = unrolled(t, op, there, t->original[plan->steps[i]]);
      if (again >= 0)
        rm_vec_push(pool, &steps, again);
    }
    rm_vec_push(pool, &steps, op);
  }
  return (RmSchedule){steps.items, (int32_t)steps.count};
}

/*===-- The strategy ------------------------------------------------------===*/

static RmPlanResult plan_thin(const Thinning *t, const RmPlanOptions *options,
                              RmPool *pool) {
  RmPlanOptions thin = *options;
  thin.budget = thin_budget(t, options->budget, pool);
  thin.overhead = -1;
  thin.strategy = RM_STRATEGY_AUTO;
  thin.reorder = false;
  thin.gives_up = true;
  thin.border = thin.forced = NULL;
  return rm_plan(t->thin, &thin, pool);
}

RmSchedule rm_strategy_layers(const RmProblem *problem, RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  Thinning t = {.graph = problem->graph};
  RmSchedule found = {0};
  t.layers = rm_layers_find(t.graph, scratch);
  measure_towers(&t, scratch);
  choose_gaps(&t);
  if (t.share < 0.5) {
    make_thin_graph(&t, scratch);
    RmPlanResult thin = plan_thin(&t, problem->options, scratch);
    RmSchedule seed = unroll(&t, &thin.schedule, scratch);
    RmProblem rest = *problem;
    rest.seeds = &seed;
    rest.num_seeds = 1;
    found = rm_strategy_search(&rest, pool);
  }
  rm_pool_destroy(scratch);
  return found.steps ? found : rm_schedule_identity(t.graph, pool);
}
