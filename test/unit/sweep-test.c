/* test/unit/sweep-test.c - plans for many budgets in one go. */
#include "random-graph.h"

#include "plan/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void check_point(const RmGraph *g, const RmSweepPoint *point,
                        bool reorder, RmPool *pool) {
  const RmPlanResult *plan = &point->plan;
  assert_null(rm_schedule_verify(g, &plan->schedule, !reorder, pool));
  RmMeasure again = rm_schedule_measure(g, &plan->schedule, pool);
  assert_int_equal(again.cost, plan->measure.cost);
  assert_true(again.peak <= point->budget);
  assert_true(plan->cost_bound <= again.cost);
  assert_true(point->plan_of <= point->budget);
}

/* Neither cost nor bound rises, and each plan fits its budget. */
static void curves_fall(void **unused) {
  (void)unused;
  int falling = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    uint32_t random = seed * 747796405u;
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = random_graph(pool, &random, 24, true);
    RmPlanOptions options = {.strategy = RM_STRATEGY_AUTO,
                             .reorder = draw(&random, 2)};
    RmSweep s = rm_plan_sweep(g, &options, 6, NULL, pool);
    assert_true(s.count == 6 || s.count == 1);
    for (int32_t i = 0; i < s.count; ++i) {
      check_point(g, &s.points[i], options.reorder, pool);
      if (!i)
        continue;
      const RmPlanResult *before = &s.points[i - 1].plan;
      assert_true(s.points[i].budget >= s.points[i - 1].budget);
      assert_true(s.points[i].plan.measure.cost <= before->measure.cost);
      assert_true(s.points[i].plan.cost_bound <= before->cost_bound);
    }
    falling += s.knee > 0;
    rm_pool_destroy(pool);
  }
  assert_true(falling > 10);
}

/* The least that is found is a budget that is met, and so is any larger one. */
static void the_least_is_met(void **unused) {
  (void)unused;
  int lower = 0;
  for (uint32_t seed = 1; seed <= 6; ++seed) {
    uint32_t random = seed * 747796405u;
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = random_graph(pool, &random, 60, false);
    RmPlanOptions options = {.strategy = RM_STRATEGY_AUTO, .budget = 1};
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t least = rm_plan(g, &options, pool).measure.peak;
    lower += least < peak;
    for (options.budget = least; options.budget < least + 3; ++options.budget) {
      RmPlanResult plan = rm_plan(g, &options, pool);
      assert_true(plan.fits && plan.measure.peak <= options.budget);
    }
    rm_pool_destroy(pool);
  }
  assert_true(lower > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(curves_fall),
                                     cmocka_unit_test(the_least_is_met)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
