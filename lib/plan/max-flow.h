/* lib/plan/max-flow.h - the least cut of a network, by push-relabel.
 *
 * A node has a supply, what the source can send it, and a drain, what it can
 * send the sink; arcs join nodes. Nothing may exceed RM_FLOW_MAX, which stands
 * for "without limit": the least cut must be below it.
 *
 *     RmFlow *flow = rm_flow_create(nodes, arcs, from, to, pool);
 *     rm_flow_reset(flow, supply, drain, capacity);
 *     int64_t cut = rm_flow_run(flow);
 *     if (rm_flow_cut_off(flow, v)) ... v is on the source's side */
#ifndef RM_PLAN_MAX_FLOW_H
#define RM_PLAN_MAX_FLOW_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

#define RM_FLOW_MAX ((int64_t)1 << 61)

typedef struct RmHalfArc {
  int32_t head, twin; /* where it leads; the same arc seen from there */
  int64_t room;       /* what can still be pushed along it */
} RmHalfArc;

typedef struct RmFlow {
  int32_t nodes, arcs;
  int32_t cut_off; /* label of what cannot reach the sink: above all others */
  int32_t *first;  /* half arcs of v: first[v] .. first[v + 1] - 1 */
  RmHalfArc *half;
  int32_t *forward;       /* by arc, its half that leads from `from` to `to` */
  int64_t *excess;        /* by node, what waits there */
  int64_t *drain;         /* by node, what the sink still takes from it */
  int32_t *label;         /* by node, at most its distance to the sink */
  int32_t *current;       /* by node, the half arc to try next */
  int32_t *next, *before; /* neighbours in the list of their label */
  int32_t *layer;         /* by label, a list of its nodes */
  int32_t *queue;
  int32_t *active, *waiting; /* by label, nodes with excess; their links */
  int32_t highest, top;      /* labels in use: with excess, at all */
  int64_t work, sent;
  int64_t effort; /* half arcs looked at so far, in all runs */
} RmFlow;

/* The arcs lead from[i] -> to[i]; both arrays are only read here. */
RmFlow *rm_flow_create(int32_t nodes, int32_t arcs, const int32_t *from,
                       const int32_t *to, RmPool *pool);

/* Starts from no flow; all three are copied. */
void rm_flow_reset(RmFlow *flow, const int64_t *supply, const int64_t *drain,
                   const int64_t *capacity);

/* The value of the least cut. Of several, it is the one with the most nodes on
 * the source's side. */
int64_t rm_flow_run(RmFlow *flow);

/* After a run: whether `node` is on the source's side. */
static inline bool rm_flow_cut_off(const RmFlow *flow, int32_t node) {
  return flow->label[node] == flow->cut_off;
}

#endif
