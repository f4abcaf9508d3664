/* lib/api/core/plan-api.c - remat/plan.h: checks, then lib/plan.
 *
 * A plan owns the pool that it was made in. */
#include "remat/plan.h"

#include "plan/plan.h"
#include "support/require.h"

#include <string.h>

typedef struct Plan {
  RmPool *pool;
  RmPlanResult result;
} Plan;

static const RmPlanResult *result_of(RematPlan plan) {
  rm_require(plan.ptr, "a plan");
  return &((const Plan *)plan.ptr)->result;
}

RematPlanOptions rematPlanOptionsDefault(void) {
  return (RematPlanOptions){.budgetBytes = INT64_MAX,
                            .maxOverhead = -1,
                            .strategy = "auto",
                            .segmentOps = 1,
                            .effort = 1,
                            .reorder = true};
}

static RmPlanOptions read_options(const RematPlanOptions *options) {
  int strategy = rm_strategy_find(options->strategy);
  rm_require(strategy != RM_STRATEGY_AUTO || !strcmp(options->strategy, "auto"),
             "the name of a strategy");
  rm_require(options->effort >= 0 && options->effort <= 3, "effort 0 to 3");
  return (RmPlanOptions){.budget = options->budgetBytes,
                         .overhead = options->maxOverhead,
                         .strategy = strategy,
                         .n = options->segmentOps,
                         .effort = options->effort,
                         .time_limit = options->timeLimit,
                         .reorder = options->reorder,
                         .max_recompute = options->maxRecompute};
}

RematPlan rematPlanCreate(RematGraph graph, const RematPlanOptions *options) {
  rm_require(graph.ptr, "a graph");
  RmPlanOptions wanted = read_options(options);
  RmPool *pool = rm_pool_create();
  if (!pool || setjmp(pool->exhausted))
    return rm_pool_destroy(pool), (RematPlan){NULL};
  Plan *plan = RM_NEW(pool, Plan);
  plan->pool = pool;
  plan->result = rm_plan(graph.ptr, &wanted, pool);
  return (RematPlan){plan};
}

void rematPlanDestroy(RematPlan plan) {
  if (plan.ptr)
    rm_pool_destroy(((Plan *)plan.ptr)->pool);
}

bool rematPlanFits(RematPlan plan) { return result_of(plan)->fits; }

int64_t rematPlanGetPeakBytes(RematPlan plan) {
  return result_of(plan)->measure.peak;
}

int64_t rematPlanGetPeakBound(RematPlan plan) {
  return result_of(plan)->budget_bound;
}

int64_t rematPlanGetCost(RematPlan plan) {
  return result_of(plan)->measure.cost;
}

int64_t rematPlanGetCostBound(RematPlan plan) {
  return result_of(plan)->cost_bound;
}

int32_t rematPlanGetNumSteps(RematPlan plan) {
  return result_of(plan)->schedule.count;
}

int32_t rematPlanGetStep(RematPlan plan, int32_t step) {
  const RmSchedule *schedule = &result_of(plan)->schedule;
  rm_require(step >= 0 && step < schedule->count, "a step of the plan");
  return schedule->steps[step];
}
