/* lib/plan/views.h - planning without views.
 *
 * Strategies see a flat graph in which every value owns its storage: an op all
 * of whose results are views of what it reads is taken out if it may be run
 * again, for it costs no bytes, and its readers read the storage itself. A
 * view that may not be run again (a fence already in the program) stays as an
 * op whose result holds no bytes; what it views must then be held, since a
 * second instance would not be behind the fence. */
#ifndef RM_PLAN_VIEWS_H
#define RM_PLAN_VIEWS_H

#include "graph/graph.h"

typedef struct RmFlat {
  const RmGraph *whole;
  RmGraph *graph;    /* without views */
  int32_t *whole_op; /* by flat op */
} RmFlat;

RmFlat rm_flat_create(const RmGraph *whole, RmPool *pool);

/* A schedule of the whole graph that runs `schedule` of the flat one: each
 * view is made right before its first reader, and again for readers of a later
 * instance of its storage. */
RmSchedule rm_flat_expand(const RmFlat *flat, const RmSchedule *schedule,
                          RmPool *pool);

#endif
