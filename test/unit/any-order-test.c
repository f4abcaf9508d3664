/* test/unit/any-order-test.c - the best order of small graphs against all. */
#include "exhaustive.h"

#include "plan/any-order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static bool check(const RmGraph *g, int64_t budget, RmPool *pool) {
  int64_t least = least_cost(g, budget, false);
  RmAnyOrder found = rm_any_order_plan(g, budget, 1000000, pool);
  assert_true(found.proved);
  assert_int_equal(found.schedule.steps != NULL, least >= 0);
  if (least < 0)
    return false;
  assert_null(rm_schedule_verify(g, &found.schedule, false, pool));
  RmMeasure m = rm_schedule_measure(g, &found.schedule, pool);
  assert_true(m.peak <= budget);
  assert_int_equal(m.cost, least);
  return true;
}

static void equals_the_best_of_all_orders(void **unused) {
  (void)unused;
  uint32_t state = 21;
  int planned = 0;
  for (int trial = 0; trial < 300; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g =
        draw_graph(&state, 3 + (int32_t)draw(&state, 5), trial % 4, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t budget = peak;
    while (budget >= 0 && check(g, budget, pool)) {
      planned += budget < peak;
      --budget;
    }
    rm_pool_destroy(pool);
  }
  print_message("%d budgets below the peak\n", planned);
  assert_true(planned > 200);
}

static void gives_up_and_says_so(void **unused) {
  (void)unused;
  uint32_t state = 5;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = draw_graph(&state, 30, false, pool);
  assert_true(rm_any_order_applies(g));
  assert_false(rm_any_order_plan(g, 12, 1000, pool).proved);
  assert_true(rm_pool_bytes(pool) < 1 << 20);
  assert_false(rm_any_order_applies(draw_graph(&state, 60, false, pool)));
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_best_of_all_orders),
      cmocka_unit_test(gives_up_and_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
