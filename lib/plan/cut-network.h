/* lib/plan/cut-network.h - what is held and what is made again, as a network.
 *
 * At each of some steps every value that was made before and is read after is
 * held, which takes its bytes of the room there, or made again later, which
 * takes its op's cost and what that op reads. With a price on the bytes at each
 * step the cheapest choice for all steps together is a least cut.
 *
 * Costs and bytes are in units: their greatest common divisors. */
#ifndef RM_PLAN_CUT_NETWORK_H
#define RM_PLAN_CUT_NETWORK_H

#include "graph/graph.h"
#include "plan/max-flow.h"
#include "plan/min-cut.h"

#include <stdbool.h>
#include <stdint.h>

/* What all costs of a network, times their scale, may add up to; the same for
 * the bytes of dead values that cannot be made again, times their price. */
#define RM_CUT_LIMIT (RM_FLOW_MAX / 16)

typedef struct RmCutNode {
  int32_t op;   /* that runs, mostly again, after the step; -1: a dead value, or
                   the   cost that several steps share */
  int32_t at;   /* the step's place */
  int64_t cost; /* of running again, in units */
  int64_t supply; /* of values read after the step, in units; -1: they cannot
                     be held, the op runs again */
  int64_t drain;  /* of a dead value whose op runs only once, in units */
} RmCutNode;

typedef struct RmCutArc {
  int32_t from, to, at;
  int64_t bytes; /* in units; -1: without limit, or it cannot be held */
} RmCutArc;

typedef struct RmCutNetwork {
  const RmGraph *graph;
  RmPool *pool;
  int32_t count; /* of steps */
  int32_t steps[RM_CUT_STEPS];
  int64_t room[RM_CUT_STEPS]; /* for what is held by choice, in units unless
                                 negative: then nothing fits */
  int64_t
      needed[RM_CUT_STEPS]; /* for what is held without a choice, in bytes */
  int64_t byte_unit[RM_CUT_STEPS];
  int64_t drains[RM_CUT_STEPS]; /* of all nodes */
  int64_t cost_unit, total_cost;
  RM_VEC(RmCutNode) nodes;
  RM_VEC(RmCutArc) arcs;
  RmFlow *flow;
  int64_t *supply, *drain, *capacity;
  uint8_t *again; /* by node: on the source's side of the last cut */
  int64_t effort; /* half arcs looked at so far, in all cuts */
  struct RmCutScratch *scratch;
} RmCutNetwork;

/* `steps` ascend. With `fixed_order` it holds for plans whose first runs follow
 * program order, else for all: then only what a step needs, directly or not,
 * was certainly made before it, and only what needs it certainly runs after it.
 */
RmCutNetwork *rm_cut_network(const RmGraph *graph, int64_t budget,
                             const int32_t *steps, int32_t count,
                             bool fixed_order, RmPool *pool);

typedef struct RmCutLine { /* what a cut costs and holds, in units */
  int64_t cost, bytes[RM_CUT_STEPS];
} RmCutLine;

/* The value of the least cut when a unit of bytes at step i costs prices[i] and
 * a unit of cost `scale`. */
int64_t rm_cut_least(RmCutNetwork *network, const int64_t *prices,
                     int64_t scale);

/* The same where it is known of some nodes which side they are on: those with
 * `barely` are on the source's and those without `again` on the sink's. As the
 * price of a network of one step rises nodes only join the source's side, so
 * two cuts say this of all prices between theirs. */
void rm_cut_least_between(RmCutNetwork *network, const int64_t *prices,
                          int64_t scale, const uint8_t *barely,
                          const uint8_t *again);

/* Of the last cut. */
RmCutLine rm_cut_measure(const RmCutNetwork *network);

static inline bool rm_cut_runs_again(const RmCutNetwork *network,
                                     int32_t node) {
  return network->again[node] != 0;
}

/* a * b for numbers >= 0, or `most` if it is above. */
static inline int64_t rm_cut_times(int64_t a, int64_t b, int64_t most) {
  return b != 0 && a > most / b ? most : a * b;
}

#endif
