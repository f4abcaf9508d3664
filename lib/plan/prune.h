/* lib/plan/prune.h - runs again that nothing reads. */
#ifndef RM_PLAN_PRUNE_H
#define RM_PLAN_PRUNE_H

#include "graph/graph.h"

/* Takes out of `schedule`, in place, each run of an op but its first whose
 * results nobody reads before the op runs again. */
void rm_schedule_prune(const RmGraph *graph, RmSchedule *schedule,
                       RmPool *pool);

#endif
