/* lib/plan/chen.c - segments by bytes, with a sweep of their size.
 *
 * Chen et al. 2016, both variants: a segment of the forward ends where the
 * bytes made in it pass a threshold; or at the first place after that which a
 * single value crosses (an articulation point, so that little is saved). What
 * crosses between segments is saved; the backward runs a segment again when it
 * needs it, but for the last if that is held. Thresholds go geometrically down
 * from the whole; the best plan for the budget is returned. */
#include "plan/strategy.h"

enum { THRESHOLDS = 24, FEW_THRESHOLDS = 6, MANY_OPS = 20000 };

typedef struct Chen {
  const RmProblem *problem;
  RmPool *pool;
  const uint8_t *backward;
  int32_t *crossing; /* by op: values that cross from it on in the forward */
  int64_t *made;     /* by op: bytes of its results */
  uint8_t *saved;
  int32_t *segment; /* by op of the forward */
  RmBest best;
} Chen;

static bool weighs(const RmGraph *g, int32_t value) {
  return g->values.items[value].op >= 0 && g->values.items[value].counted;
}

static void read_forward(Chen *c) {
  const RmGraph *g = c->problem->graph;
  int32_t ops = (int32_t)g->ops.count;
  int32_t *last = RM_NEW_ARRAY(c->pool, int32_t, g->values.count);
  for (int32_t op = 0; op < ops; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs && !c->backward[op];
         ++i)
      last[rm_op_inputs(g, op)[i]] = op;
  for (int32_t v = 0; v < (int32_t)g->values.count; ++v) {
    int32_t op = g->values.items[v].op;
    if (!weighs(g, v))
      continue;
    c->made[op] += g->values.items[v].bytes;
    if (last[v] <= op)
      continue;
    ++c->crossing[op];
    --c->crossing[last[v]];
  }
  for (int32_t op = 1; op < ops; ++op)
    c->crossing[op] += c->crossing[op - 1];
}

/* Returns the number of the last. */
static int32_t number_segments(Chen *c, int64_t threshold,
                               bool at_articulations) {
  int32_t now = 0;
  int64_t bytes = 0;
  for (int32_t op = 0; op < (int32_t)c->problem->graph->ops.count; ++op) {
    if (c->backward[op])
      continue;
    c->segment[op] = now;
    bytes += c->made[op];
    if (bytes < threshold || (at_articulations && c->crossing[op] > 1))
      continue;
    ++now;
    bytes = 0;
  }
  return bytes ? now : now - 1;
}

static void save_crossing(Chen *c, int32_t held) {
  const RmGraph *g = c->problem->graph;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    c->saved[op] = !c->backward[op] && c->segment[op] >= held;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t i = 0; i < g->ops.items[op].num_inputs && !c->backward[op];
         ++i) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[i]].op;
      if (maker >= 0 && c->segment[maker] != c->segment[op])
        c->saved[maker] = 1;
    }
}

static void offer(Chen *c) {
  RmPool *scratch = rm_pool_branch(c->pool);
  RmSchedule schedule =
      rm_segment_schedule(c->problem->graph, c->backward, c->saved, scratch);
  rm_best_offer(&c->best, &schedule);
  rm_pool_destroy(scratch);
}

static void try_threshold(Chen *c, int64_t threshold) {
  for (int variant = 0; variant < 4; ++variant) {
    int32_t last = number_segments(c, threshold, variant % 2);
    save_crossing(c, variant < 2 ? last + 1 : last);
    offer(c);
  }
}

/* Each two thirds of the one before; of large graphs a fifth. */
static void sweep(Chen *c, int64_t all) {
  bool is_large = c->problem->graph->ops.count > MANY_OPS;
  int count = is_large ? FEW_THRESHOLDS : THRESHOLDS;
  int64_t threshold = all;
  for (int i = 0; i < count && threshold > 0; ++i) {
    try_threshold(c, threshold);
    threshold = is_large ? threshold / 5 : threshold / 3 * 2;
  }
}

static Chen create(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  Chen c = {.problem = problem, .pool = pool};
  c.best = (RmBest){.problem = problem, .pool = pool};
  c.backward = rm_border_find(graph, problem->options, pool);
  c.crossing = RM_NEW_ARRAY(pool, int32_t, graph->ops.count + 1);
  c.segment = RM_NEW_ARRAY(pool, int32_t, graph->ops.count + 1);
  c.made = RM_NEW_ARRAY(pool, int64_t, graph->ops.count + 1);
  c.saved = RM_NEW_ARRAY(pool, uint8_t, graph->ops.count + 1);
  return c;
}

RmSchedule rm_strategy_chen(const RmProblem *problem, RmPool *pool) {
  Chen c = create(problem, rm_pool_branch(pool));
  int64_t all = 0;
  read_forward(&c);
  for (size_t op = 0; op < problem->graph->ops.count; ++op)
    all += c.backward[op] ? 0 : c.made[op];
  sweep(&c, all);
  RmSchedule found = rm_best_take(&c.best, pool);
  rm_pool_destroy(c.pool);
  return found;
}
