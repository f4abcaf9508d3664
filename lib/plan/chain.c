/* lib/plan/chain.c - the strategy for chains.
 *
 * Where the backward begins is not sure to an op: the loss may be a stage or
 * the backward's first op. Some places are tried. A long chain of unlike
 * stages is taken in fewer, longer ones. Besides, the plan that saves what
 * crosses between stages and runs each stage again once; the best of all is
 * returned. */
#include "plan/chain.h"

enum { PLACES = 3, MOST_ALIKE = 1500, MOST_UNLIKE = 100, MOST_OPS = 200000 };

typedef struct Best {
  const RmProblem *problem;
  RmPool *pool;
  RmSchedule schedule;
  RmMeasure measure;
} Best;

static void offer(Best *best, RmSchedule schedule) {
  if (!schedule.steps)
    return;
  int64_t budget = best->problem->options->budget;
  RmMeasure m =
      rm_schedule_measure(best->problem->graph, &schedule, best->pool);
  bool fits = m.peak <= budget, other_fits = best->measure.peak <= budget;
  if (best->schedule.steps && fits != other_fits ? !fits
      : best->schedule.steps && fits             ? m.cost >= best->measure.cost
      : best->schedule.steps                     ? m.peak >= best->measure.peak
                                                 : false)
    return;
  best->schedule = schedule;
  best->measure = m;
}

static void offer_segments(Best *best, const RmChain *c) {
  size_t count = c->graph->ops.count;
  uint8_t *saved = RM_NEW_ARRAY(best->pool, uint8_t, count);
  uint8_t *backward = RM_NEW_ARRAY(best->pool, uint8_t, count);
  for (int32_t op = c->border; op < (int32_t)count; ++op)
    backward[op] = 1;
  for (int32_t k = 0; k < c->count; ++k)
    if (c->stages[k].output >= 0)
      saved[c->graph->values.items[c->stages[k].output].op] = 1;
  offer(best, rm_segment_schedule(c->graph, backward, saved, best->pool));
}

static int64_t work_of(int effort) {
  static const int64_t work[] = {10000000, 100000000, 500000000, 2000000000};
  return work[effort < 0 ? 0 : effort > 3 ? 3 : effort];
}

static void try_border(Best *best, int32_t border, int64_t most) {
  const RmProblem *problem = best->problem;
  RmChain c = rm_chain_find(problem->graph, border, MOST_ALIKE, best->pool);
  if (c.count > MOST_UNLIKE && !rm_chain_is_uniform(&c))
    c = rm_chain_find(problem->graph, border, MOST_UNLIKE, best->pool);
  if (c.count < 2)
    return;
  offer(best, rm_chain_plan(&c, problem->options->budget, most,
                            work_of(problem->options->effort)));
  offer_segments(best, &c);
}

RmSchedule rm_strategy_chain(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  int32_t count = (int32_t)graph->ops.count, border = 0;
  const uint8_t *backward = rm_border_find(graph, problem->options, pool);
  Best best = {.problem = problem, .pool = pool};
  offer(&best, rm_schedule_identity(graph, pool));
  int64_t most = best.measure.peak;
  if (!count || most <= problem->options->budget || count > MOST_OPS)
    return best.schedule;
  while (border < count && !backward[border])
    ++border;
  for (int32_t i = 0; i < PLACES && border - i > 0; ++i)
    try_border(&best, border - i, most);
  return best.schedule;
}
