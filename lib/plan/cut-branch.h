/* lib/plan/cut-branch.h - what must be paid at one step, in whole decisions. */
#ifndef RM_PLAN_CUT_BRANCH_H
#define RM_PLAN_CUT_BRANCH_H

#include "graph/graph.h"

/* No plan within the budget costs less than this beyond each op once; -1: none
 * fits. With `fixed_order`, of plans whose first runs follow program order. It
 * ends after having looked at `effort` arcs, with the best bound by then. */
int64_t rm_cut_branch(const RmGraph *graph, int64_t budget, int32_t step,
                      bool fixed_order, int64_t effort, RmPool *pool);

#endif
