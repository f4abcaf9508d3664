/* lib/plan/sweep.h - the curve of cost over budget. */
#ifndef RM_PLAN_SWEEP_H
#define RM_PLAN_SWEEP_H

#include "plan/plan.h"

typedef struct RmSweepPoint {
  int64_t budget;
  RmPlanResult plan; /* fits */
  int64_t plan_of;   /* the budget for which it was found, at most this one */
} RmSweepPoint;

typedef struct RmSweep {
  RmSweepPoint *points; /* budgets ascend: from the least peak that was found to
                           that of the unchanged program */
  int32_t count;        /* 1 if these are one */
  int32_t borrowed;     /* points with the plan of a smaller budget */
  int32_t knee;         /* the point farthest below the straight line from the
                           first to the last; -1 if there is none */
} RmSweep;

/* Told of each point as it is found; the bound may still rise. */
typedef struct RmSweepListener {
  void (*hear)(void *data, int32_t point, const RmSweepPoint *found);
  void *data;
} RmSweepListener;

/* `count` budgets, evenly spaced; with 1 the least alone. options->budget and
 * `overhead` are not looked at. Neither cost nor bound rises with the budget.
 * `listener` may be null. */
RmSweep rm_plan_sweep(const RmGraph *graph, const RmPlanOptions *options,
                      int32_t count, const RmSweepListener *listener,
                      RmPool *pool);

#endif
