/* test/unit/plan-test.c - plans against the exhaustive oracle, and what rm_plan
 * says of a plan. */
#include "oracle.h"
#include "random-graph.h"

#include "plan/planning.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static RmPlanResult plan(const RmGraph *g, int64_t budget, bool reorder,
                         RmPool *pool) {
  RmPlanOptions options = {.budget = budget,
                           .strategy = RM_STRATEGY_AUTO,
                           .effort = 1,
                           .reorder = reorder,
                           .overhead = -1};
  return rm_plan(g, &options, pool);
}

/* Over random graphs: feasible where a plan exists, and close to the best. */
static void plans_are_close_to_the_best(void **unused) {
  (void)unused;
  double ours = 0, best = 0;
  int planned = 0;
  for (uint32_t seed = 1; seed <= 120; ++seed) {
    uint32_t random = seed * 747796405u;
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = random_graph(pool, &random, 4 + (int)draw(&random, 5), false);
    if (g->values.count > 12) {
      rm_pool_destroy(pool);
      continue;
    }
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t budget = peak - 1 - draw(&random, (uint32_t)(peak / 3 + 1));
    int64_t least = oracle_least_cost(g, budget, pool);
    RmPlanResult result = plan(g, budget, false, pool);
    assert_int_equal(result.fits, least >= 0);
    assert_true(result.budget_bound <= result.measure.peak);
    if (least >= 0) {
      assert_true(result.measure.cost >= least);
      assert_true(result.cost_bound <= least);
      ours += (double)result.measure.cost;
      best += (double)least;
      ++planned;
    } else {
      assert_true(oracle_least_cost(g, result.measure.peak, pool) >= 0);
    }
    rm_pool_destroy(pool);
  }
  print_message("%d planned, cost %.4f of the best\n", planned, ours / best);
  assert_true(planned > 20);
  assert_true(ours <= 1.01 * best);
}

/* Of two values that are alike, and of which one has to go, the earlier goes,
 * whichever is found first. */
static void ties_go_to_earlier_ops(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t x = rm_graph_argument(g, 8), read[3];
  for (int i = 0; i < 2; ++i) {
    rm_graph_op(g, 5, 0, &x, 1, true);
    read[i] = rm_graph_result(g, 10);
  }
  rm_graph_op(g, 9, 0, &x, 1, true);
  int32_t large = rm_graph_result(g, 40);
  rm_graph_op(g, 9, 0, &large, 1, true);
  read[2] = rm_graph_result(g, 1);
  rm_graph_op(g, 9, 0, read, 3, true);
  rm_graph_result(g, 1);
  int32_t early[] = {0, 1, 2, 3, 0, 4}, late[] = {0, 1, 2, 3, 1, 4};
  const RmSchedule found[] = {{early, 6}, {late, 6}};
  RmPlanOptions options = {.budget = 55, .overhead = -1};
  for (int first = 0; first < 2; ++first) {
    RmPlanning p = rm_planning_begin(g, &options, pool);
    rm_planning_offer(&p, 0, &found[first]);
    rm_planning_offer(&p, 0, &found[1 - first]);
    assert_true(p.best.fits);
    assert_memory_equal(p.best.schedule.steps, early, sizeof early);
  }
  rm_pool_destroy(pool);
}

/* Views and effects: whatever is returned has been verified on the whole graph;
 * here we check that the budget is really met and arguments of measure. */
static void plans_with_views_fit(void **unused) {
  (void)unused;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    uint32_t random = seed * 40503u;
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = random_graph(pool, &random, 12, true);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t budget = peak - draw(&random, (uint32_t)(peak / 2 + 1));
    RmPlanResult result = plan(g, budget, draw(&random, 2), pool);
    assert_null(rm_schedule_verify(g, &result.schedule, false, pool));
    RmMeasure again = rm_schedule_measure(g, &result.schedule, pool);
    assert_int_equal(again.peak, result.measure.peak);
    assert_int_equal(result.fits, again.peak <= budget);
    rm_pool_destroy(pool);
  }
}

/* A graph of random ops, and a budget below what it needs. */
typedef struct Drawn {
  RmGraph *graph;
  RmPlanOptions options;
} Drawn;

static Drawn draw_problem(uint32_t seed, int ops, RmPool *pool) {
  uint32_t random = seed * 2654435761u;
  RmGraph *g = random_graph(pool, &random, ops, true);
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t peak = rm_schedule_measure(g, &all, pool).peak;
  return (Drawn){g,
                 {.budget = peak - 1 - draw(&random, (uint32_t)(peak / 3)),
                  .strategy = RM_STRATEGY_AUTO,
                  .reorder = draw(&random, 2),
                  .overhead = -1}};
}

/* What runs once costs the same in every plan. */
static void costs_that_no_plan_can_change_change_no_plan(void **unused) {
  (void)unused;
  for (uint32_t seed = 1; seed <= 25; ++seed) {
    RmPool *pool = rm_pool_create_or_abort();
    Drawn d = draw_problem(seed, 40, pool);
    RmPlanResult cheap = rm_plan(d.graph, &d.options, pool);
    for (size_t op = 0; op < d.graph->ops.count; ++op)
      if (!d.graph->ops.items[op].recomputable)
        d.graph->ops.items[op].cost += 1000000;
    RmPlanResult dear = rm_plan(d.graph, &d.options, pool);
    assert_int_equal(cheap.schedule.count, dear.schedule.count);
    assert_memory_equal(cheap.schedule.steps, dear.schedule.steps,
                        sizeof(int32_t) * (size_t)cheap.schedule.count);
    rm_pool_destroy(pool);
  }
}

/* Nor does it find none where less effort found one. */
static void more_effort_never_gives_a_dearer_plan(void **unused) {
  (void)unused;
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    RmPool *pool = rm_pool_create_or_abort();
    Drawn d = draw_problem(seed, 30, pool);
    RmPlanResult before = rm_plan(d.graph, &d.options, pool);
    while (d.options.effort < 2) {
      ++d.options.effort;
      RmPlanResult result = rm_plan(d.graph, &d.options, pool);
      assert_true(result.fits >= before.fits);
      if (before.fits)
        assert_true(result.measure.cost <= before.measure.cost);
      else
        assert_true(result.fits || result.measure.peak <= before.measure.peak);
      before = result;
    }
    rm_pool_destroy(pool);
  }
}

/* The unit training chain of 2L+1 nodes. */
static RmGraph *unit_chain(RmPool *pool, int length) {
  RmGraph *g = rm_graph_create(pool);
  for (int i = 0; i <= length; ++i) {
    int32_t before = i - 1;
    rm_graph_op(g, 1, 0, &before, i > 0, true);
    rm_graph_result(g, 1);
  }
  for (int i = length - 1; i >= 0; --i) {
    int32_t inputs[2] = {(int32_t)g->values.count - 1, i};
    rm_graph_op(g, 1, 0, inputs, 2, true);
    rm_graph_result(g, 1);
  }
  return g;
}

static void identity_within_the_budget(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = unit_chain(pool, 4);
  RmPlanResult result = plan(g, 6, true, pool);
  for (int32_t i = 0; i < result.schedule.count; ++i)
    assert_int_equal(result.schedule.steps[i], i);
  assert_int_equal(result.schedule.count, (int)g->ops.count);
  rm_pool_destroy(pool);
}

/* Two values in place of one where a step's own needs forbid less. */
static void names_the_step_that_needs_most(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = unit_chain(pool, 4);
  RmPlanResult result = plan(g, 2, false, pool);
  assert_false(result.fits);
  assert_int_equal(result.measure.peak, 3);
  assert_int_equal(result.budget_bound, 3);
  assert_true(result.bound_step >= 0);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plans_are_close_to_the_best),
      cmocka_unit_test(ties_go_to_earlier_ops),
      cmocka_unit_test(plans_with_views_fit),
      cmocka_unit_test(costs_that_no_plan_can_change_change_no_plan),
      cmocka_unit_test(more_effort_never_gives_a_dearer_plan),
      cmocka_unit_test(identity_within_the_budget),
      cmocka_unit_test(names_the_step_that_needs_most),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
