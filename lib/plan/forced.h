/* lib/plan/forced.h - values that must not be held over the border. */
#ifndef RM_PLAN_FORCED_H
#define RM_PLAN_FORCED_H

#include "graph/graph.h"

/* A schedule like `schedule` in which ops with `forced` run again before the
 * first reader in the backward. The graph has no views. */
RmSchedule rm_force_recompute(const RmGraph *graph, const RmSchedule *schedule,
                              const uint8_t *forced, const uint8_t *backward,
                              RmPool *pool);

#endif
