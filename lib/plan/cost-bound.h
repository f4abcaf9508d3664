/* lib/plan/cost-bound.h - a cost that no plan within the budget beats. */
#ifndef RM_PLAN_COST_BOUND_H
#define RM_PLAN_COST_BOUND_H

#include "graph/graph.h"

#include <stdbool.h>
#include <stdint.h>

/* What argument a bound rests on. */
typedef enum RmProof {
  RM_PROOF_OPS,     /* each op runs once */
  RM_PROOF_CUT,     /* the least cut at one step */
  RM_PROOF_CUTS,    /* least cuts at several steps together */
  RM_PROOF_CHOICES, /* at one step, whole decisions: branch and bound */
  RM_PROOF_SEARCH,  /* all plans were searched */
  RM_PROOF_MIP      /* whole decisions at several steps: a solver's */
} RmProof;

/* As reports say it, in the pool: "min cut at op 335", "mip at 49 ops from 18
 * to 66". */
char *rm_proof_print(RmProof proof, const int32_t *ops, int32_t count,
                     RmPool *pool);

typedef struct RmCostBound {
  bool feasible; /* false: no plan fits the budget */
  int64_t cost;  /* of all steps; the cost of each op once at least */
  RmProof proof;
  int32_t *steps, count; /* the ops at whose first runs it holds, ascending */
} RmCostBound;

/* Of a graph without views. With `fixed_order`, for plans whose first runs
 * follow program order; else for all plans. Work grows with `effort` (0..3). */
RmCostBound rm_cost_bound(const RmGraph *graph, int64_t budget,
                          bool fixed_order, int effort, RmPool *pool);

/* Raises `bound`, at most to `cost`, what the best plan known costs: with a
 * solver, for plans whose first runs follow program order. Takes seconds where
 * it comes to an end, else up to a few minutes. */
void rm_cost_prove(const RmGraph *graph, int64_t budget, int64_t cost,
                   RmCostBound *bound, RmPool *pool);

#endif
