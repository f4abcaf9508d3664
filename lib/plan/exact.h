/* lib/plan/exact.h - the best plan of a small graph, and the proof. */
#ifndef RM_PLAN_EXACT_H
#define RM_PLAN_EXACT_H

#include "plan/strategy.h"

typedef struct RmExact {
  RmSchedule schedule; /* null steps: no plan within the budget was found */
  int64_t cost_bound;  /* no plan within the budget that keeps the order costs
                          less; INT64_MAX: there is none */
  bool proved;         /* the schedule is the best, or there is none */
} RmExact;

/* Whether the graph is small enough to be looked at. */
bool rm_exact_applies(const RmGraph *graph, RmPool *pool);

/* Never worse than the seeds. Any number of runs of an op, whatever the options
 * say. A graph to which it does not apply gives the best seed. */
RmExact rm_exact_plan(const RmProblem *problem, RmPool *pool);

#endif
