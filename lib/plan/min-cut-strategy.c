/* lib/plan/min-cut-strategy.c - the plan behind the min cut.
 *
 * What the cuts at the fullest steps let go is made again right before its
 * earliest later reader. Good where one step decides, as in transformers; the
 * search takes it as a start. */
#include "plan/min-cut.h"
#include "plan/strategy.h"

enum { TRIES = 4 };

RmSchedule rm_strategy_min_cut(const RmProblem *problem, RmPool *pool) {
  RmCutBest best = rm_min_cut_best(problem->graph, problem->options->budget,
                                   true, TRIES, pool);
  if (!best.plan.steps)
    return rm_schedule_identity(problem->graph, pool);
  return best.plan;
}
