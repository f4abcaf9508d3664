/* test/unit/exact-test.c - the exact strategy against all schedules. */
#include "exhaustive.h"

#include "plan/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static RmExact solve(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmExact exact = rm_exact_plan(&problem, pool);
  if (exact.schedule.steps) {
    assert_null(rm_schedule_verify(g, &exact.schedule, true, pool));
    assert_true(rm_schedule_measure(g, &exact.schedule, pool).peak <= budget);
  }
  return exact;
}

static int check_budgets(const RmGraph *g, RmPool *pool) {
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t peak = rm_schedule_measure(g, &all, pool).peak;
  int planned = 0;
  for (int64_t budget = peak; budget >= 0 && budget >= peak - 6; --budget) {
    int64_t least = least_cost(g, budget, true);
    RmExact exact = solve(g, budget, pool);
    assert_true(exact.proved);
    assert_int_equal(exact.schedule.steps != NULL, least >= 0);
    if (least < 0)
      break;
    assert_int_equal(rm_schedule_measure(g, &exact.schedule, pool).cost, least);
    assert_int_equal(exact.cost_bound, least);
    planned += budget < peak;
  }
  return planned;
}

/* With several results, workspace, effects, values that are returned. */
static void equals_the_best_of_all(void **unused) {
  (void)unused;
  uint32_t state = 5;
  int planned = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    int32_t ops = 3 + (int32_t)draw(&state, trial % 16 ? 4 : 5);
    planned += check_budgets(draw_graph(&state, ops, trial % 4, pool), pool);
    rm_pool_destroy(pool);
  }
  print_message("%d budgets below the peak\n", planned);
  assert_true(planned > 1000);
}

static void stops_early_and_says_so(void **unused) {
  (void)unused;
  uint32_t state = 9;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = draw_graph(&state, 60, false, pool);
  RmPlanOptions options = {.budget = 1, .effort = 0};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule schedule = rm_strategy_exact(&problem, pool);
  assert_null(rm_schedule_verify(g, &schedule, true, pool));
  rm_pool_destroy(pool);
}

/* Checkmate's unit chain of 2L+1 nodes, by budget from 3. */
static void unit_chains(void **unused) {
  (void)unused;
  static const int want[][10] = {{45, 26, 22, 21, 20, 19, 18, 17},
                                 {55, 30, 25, 24, 23, 22, 21, 20, 19}};
  for (int length = 8; length <= 9; ++length)
    for (int budget = 2; budget <= length + 2; ++budget) {
      RmPool *pool = rm_pool_create_or_abort();
      RmGraph *g = rm_graph_create(pool);
      for (int i = 0; i <= 2 * length; ++i) {
        int32_t inputs[2] = {i - 1, 2 * length - i};
        rm_graph_op(g, 1, 0, inputs, (i > 0) + (i > length), true);
        rm_graph_result(g, 1);
      }
      RmExact exact = solve(g, budget, pool);
      assert_true(exact.proved);
      assert_int_equal(exact.cost_bound,
                       budget < 3 ? INT64_MAX : want[length - 8][budget - 3]);
      rm_pool_destroy(pool);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_best_of_all),
      cmocka_unit_test(stops_early_and_says_so),
      cmocka_unit_test(unit_chains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
