/* lib/plan/best.c - the best of the plans that one strategy looks at.
 *
 * There is one copy, in memory used again for the next that is better: a
 * strategy may look at any number of plans, each in a pool of its own. */
#include "plan/strategy.h"

#include <string.h>

/* Within the budget cost first, outside of it bytes first; then fewer steps. */
static bool is_better(const RmBest *best, const RmMeasure *m) {
  int64_t budget = best->problem->options->budget;
  const RmMeasure *old = &best->measure;
  bool fits = m->peak <= budget;
  if (fits != (old->peak <= budget))
    return fits;
  if (!fits && m->peak != old->peak)
    return m->peak < old->peak;
  if (m->cost != old->cost)
    return m->cost < old->cost;
  if (m->extra != old->extra)
    return m->extra < old->extra;
  return m->peak < old->peak;
}

RmMeasure rm_best_offer(RmBest *best, const RmSchedule *schedule) {
  RmPool *scratch = rm_pool_branch(best->pool);
  RmMeasure m = rm_schedule_measure(best->problem->graph, schedule, scratch);
  rm_pool_destroy(scratch);
  if (best->has_plan && !is_better(best, &m))
    return m;
  best->steps.count = 0;
  rm_vec_reserve(best->pool, &best->steps, schedule->count);
  if (schedule->count)
    memcpy(best->steps.items, schedule->steps,
           sizeof *schedule->steps * (size_t)schedule->count);
  best->steps.count = (size_t)schedule->count;
  best->measure = m;
  best->has_plan = true;
  return m;
}

RmSchedule rm_best_take(const RmBest *best, RmPool *pool) {
  if (!best->has_plan)
    return rm_schedule_identity(best->problem->graph, pool);
  RmSchedule found = {best->steps.items, (int32_t)best->steps.count};
  return rm_schedule_copy(&found, pool);
}
