/* lib/plan/chain.c - the strategy for chains.
 *
 * Where the backward begins is not sure to an op: the loss may be a stage or
 * the backward's first op. Some places are tried. A long chain of unlike
 * stages is taken in fewer, longer ones. Besides, the plan that saves what
 * crosses between stages and runs each stage again once; the best of all is
 * returned. */
#include "plan/chain.h"

enum { PLACES = 3, MOST_ALIKE = 1500, MOST_UNLIKE = 100, MOST_OPS = 200000 };

static void offer_segments(RmBest *best, const RmChain *c) {
  size_t count = c->graph->ops.count;
  uint8_t *saved = RM_NEW_ARRAY(c->pool, uint8_t, count);
  uint8_t *backward = RM_NEW_ARRAY(c->pool, uint8_t, count);
  for (int32_t op = c->border; op < (int32_t)count; ++op)
    backward[op] = 1;
  for (int32_t k = 0; k < c->count; ++k)
    if (c->stages[k].output >= 0)
      saved[c->graph->values.items[c->stages[k].output].op] = 1;
  RmSchedule schedule = rm_segment_schedule(c->graph, backward, saved, c->pool);
  rm_best_offer(best, &schedule);
}

static int64_t work_of(int effort) {
  static const int64_t work[] = {10000000, 100000000, 500000000, 2000000000};
  return work[effort < 0 ? 0 : effort > 3 ? 3 : effort];
}

static void offer_chain(RmBest *best, const RmChain *c, int64_t most) {
  const RmPlanOptions *options = best->problem->options;
  RmPool *scratch = rm_pool_branch(c->pool);
  RmSchedule schedule = rm_chain_plan(c, options->budget, most,
                                      work_of(options->effort), scratch);
  if (schedule.steps)
    rm_best_offer(best, &schedule);
  rm_pool_destroy(scratch);
}

static void try_border(RmBest *best, int32_t border, int64_t most) {
  const RmProblem *problem = best->problem;
  RmPool *scratch = rm_pool_branch(best->pool);
  RmChain c = rm_chain_find(problem->graph, border, MOST_ALIKE, scratch);
  if (c.count > MOST_UNLIKE && !rm_chain_is_uniform(&c))
    c = rm_chain_find(problem->graph, border, MOST_UNLIKE, scratch);
  if (c.count > 1) {
    offer_chain(best, &c, most);
    offer_segments(best, &c);
  }
  rm_pool_destroy(scratch);
}

RmSchedule rm_strategy_chain(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  int32_t count = (int32_t)graph->ops.count, border = 0;
  RmBest best = {.problem = problem, .pool = rm_pool_branch(pool)};
  const uint8_t *backward = rm_border_find(graph, problem->options, best.pool);
  RmSchedule all = rm_schedule_identity(graph, best.pool);
  int64_t most = rm_best_offer(&best, &all).peak;
  while (border < count && !backward[border])
    ++border;
  if (most > problem->options->budget && count <= MOST_OPS)
    for (int32_t i = 0; i < PLACES && border - i > 0; ++i)
      try_border(&best, border - i, most);
  RmSchedule found = rm_best_take(&best, pool);
  rm_pool_destroy(best.pool);
  return found;
}
