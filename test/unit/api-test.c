/* test/unit/api-test.c - the public headers of graphs and plans. */
#include "remat/plan.h"

#include "support/door.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A chain of four, whose first result is read again at its end. */
static RematGraph create_chain(void) {
  RematGraph graph = rematGraphCreate();
  int32_t value = rematGraphAddArgument(graph, 100), first = -1;
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(rematGraphAddOp(graph, 10, 0, &value, 1, true), i);
    value = rematGraphAddResult(graph, 100);
    if (i == 0)
      first = value;
  }
  int32_t ends[] = {value, first};
  rematGraphAddOp(graph, 10, 0, ends, 2, true);
  rematGraphReturn(graph, rematGraphAddResult(graph, 100));
  return graph;
}

static RematPlan plan_within(RematGraph graph, int64_t budget) {
  RematPlanOptions options = rematPlanOptionsDefault();
  options.budgetBytes = budget;
  return rematPlanCreate(graph, &options);
}

static void without_a_limit_each_op_runs_once(void **state) {
  (void)state;
  RematGraph graph = create_chain();
  RematPlan plan = plan_within(graph, INT64_MAX);
  rematGraphDestroy(graph);
  assert_true(rematPlanFits(plan));
  assert_int_equal(rematPlanGetNumSteps(plan), 5);
  assert_int_equal(rematPlanGetCost(plan), 50);
  assert_int_equal(rematPlanGetPeakBytes(plan), 300);
  for (int32_t i = 0; i < 5; ++i)
    assert_int_equal(rematPlanGetStep(plan, i), i);
  rematPlanDestroy(plan);
}

static void within_a_budget_the_first_op_runs_again(void **state) {
  (void)state;
  RematGraph graph = create_chain();
  RematPlan plan = plan_within(graph, 200);
  assert_true(rematPlanFits(plan));
  assert_int_equal(rematPlanGetNumSteps(plan), 6);
  assert_int_equal(rematPlanGetCost(plan), 60);
  assert_int_equal(rematPlanGetPeakBytes(plan), 200);
  assert_true(rematPlanGetCostBound(plan) <= 60);
  assert_true(rematPlanGetPeakBound(plan) <= 200);
  rematPlanDestroy(plan);
  rematGraphDestroy(graph);
}

static void what_cannot_fit_says_so(void **state) {
  (void)state;
  RematGraph graph = create_chain();
  RematPlan plan = plan_within(graph, 199);
  assert_false(rematPlanFits(plan));
  assert_int_equal(rematPlanGetPeakBytes(plan), 200);
  rematPlanDestroy(plan);
  rematGraphDestroy(graph);
}

static void a_view_costs_nothing(void **state) {
  (void)state;
  RematGraph graph = rematGraphCreate();
  int32_t x = rematGraphAddArgument(graph, 100);
  rematGraphAddOp(graph, 10, 0, &x, 1, true);
  int32_t y = rematGraphAddResult(graph, 100);
  rematGraphAddOp(graph, 0, 0, &y, 1, true);
  int32_t view = rematGraphAddView(graph, y);
  rematGraphAddOp(graph, 10, 7, &view, 1, true);
  rematGraphReturn(graph, rematGraphAddResult(graph, 100));
  RematPlan plan = plan_within(graph, INT64_MAX);
  assert_int_equal(rematPlanGetPeakBytes(plan), 107);
  rematPlanDestroy(plan);
  rematGraphDestroy(graph);
}

/* Whether all of it worked with the n-th allocation failing. */
static bool works_failing_at(long n) {
  rm_door_fail_at(n);
  RematGraph graph = rematGraphCreate();
  int32_t value = graph.ptr ? rematGraphAddArgument(graph, 100) : -1;
  for (int i = 0; value >= 0 && i < 200; ++i)
    value = rematGraphAddOp(graph, 10, 0, &value, 1, true) < 0
                ? -1
                : rematGraphAddResult(graph, 100);
  RematPlan plan = {NULL};
  if (value >= 0)
    plan = plan_within(graph, 300);
  rm_door_fail_at(0);
  bool works = plan.ptr;
  rematPlanDestroy(plan);
  rematGraphDestroy(graph);
  return works;
}

static void running_out_of_memory_is_told(void **state) {
  (void)state;
  long failures = 0;
  while (!works_failing_at(failures + 1))
    ++failures;
  assert_true(failures > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_limit_each_op_runs_once),
      cmocka_unit_test(within_a_budget_the_first_op_runs_again),
      cmocka_unit_test(what_cannot_fit_says_so),
      cmocka_unit_test(a_view_costs_nothing),
      cmocka_unit_test(running_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
