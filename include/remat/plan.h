/* include/remat/plan.h - which values to compute again, and when.
 *
 * A plan is a schedule: the sequence of steps that runs a graph within a
 * budget. Plans are read-only once made and may be shared between threads. */
#ifndef REMAT_PLAN_H
#define REMAT_PLAN_H

#include "remat/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *ptr;
} RematPlan;

/* Take rematPlanOptionsDefault and change what matters. */
typedef struct {
  int64_t budgetBytes;  /* INT64_MAX: none */
  double maxOverhead;   /* extra cost as a fraction, 0.05; negative: none */
  const char *strategy; /* as remat-plan's option: "auto", "greedy", ... */
  int32_t segmentOps;   /* for the strategy every-n */
  int32_t effort;       /* 0 to 3: fixed amounts of work */
  double timeLimit;     /* seconds; 0: none. With one, plans may differ */
  bool reorder;         /* recomputable ops may be moved, which is free */
  int32_t maxRecompute; /* times that one op may run; 0: any number */
} RematPlanOptions;

/* No limit, "auto", effort 1, reordering. */
REMAT_EXPORT RematPlanOptions rematPlanOptionsDefault(void);

/* Plans `graph` so that its live bytes stay within the budget, at least cost.
 * If no plan does, it is the one with the fewest found, and rematPlanFits is
 * false. The caller owns the plan, which needs the graph no longer. `ptr` is
 * null only when memory ran out. An unknown strategy is misuse. */
REMAT_EXPORT RematPlan rematPlanCreate(RematGraph graph,
                                       const RematPlanOptions *options);

REMAT_EXPORT void rematPlanDestroy(RematPlan plan);

REMAT_EXPORT bool rematPlanFits(RematPlan plan);

/* Live bytes at the fullest step, and what no plan of the graph can go below.
 */
REMAT_EXPORT int64_t rematPlanGetPeakBytes(RematPlan plan);
REMAT_EXPORT int64_t rematPlanGetPeakBound(RematPlan plan);

/* The cost of all steps, and what no plan within the budget can go below. */
REMAT_EXPORT int64_t rematPlanGetCost(RematPlan plan);
REMAT_EXPORT int64_t rematPlanGetCostBound(RematPlan plan);

/* The steps: numbers of ops. One that stands there again is recomputed; what
 * reads it later reads its newest result. */
REMAT_EXPORT int32_t rematPlanGetNumSteps(RematPlan plan);
REMAT_EXPORT int32_t rematPlanGetStep(RematPlan plan, int32_t step);

#ifdef __cplusplus
}
#endif
#endif
