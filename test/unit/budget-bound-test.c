/* test/unit/budget-bound-test.c - no plan fits below the bound, which small
 * graphs meet: against an exhaustive search of all schedules. */

#include "plan/budget-bound.h"

#include "exhaustive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each row of `nodes`: cost, bytes, inputs up to -1. */
static RmGraph *build(const int32_t (*nodes)[6], int32_t count, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t i = 0; i < count; ++i) {
    int32_t inputs = 0;
    while (nodes[i][2 + inputs] >= 0)
      ++inputs;
    rm_graph_op(g, nodes[i][0], 0, nodes[i] + 2, inputs, true);
    rm_graph_result(g, nodes[i][1]);
  }
  return g;
}

/* A chain with residuals: no op needs more than 12, yet no plan fits in 15. */
static void sees_that_residuals_need_more_than_an_op(void **unused) {
  (void)unused;
  static const int32_t nodes[][6] = {
      {4, 4, -1},        {4, 4, 0, -1},     {4, 4, 1, -1},    {1, 4, 2, 0, -1},
      {4, 4, 3, -1},     {4, 4, 4, -1},     {1, 4, 5, 3, -1}, {1, 1, 6, -1},
      {8, 4, 7, 4, -1},  {8, 4, 8, 3, -1},  {1, 4, 9, 7, -1}, {8, 4, 10, 1, -1},
      {8, 4, 11, 0, -1}, {1, 4, 12, 10, -1}};
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = build(nodes, 14, pool);
  assert_int_equal(rm_budget_bound(g, true, 1, pool).bytes, 16);
  assert_int_equal(rm_budget_bound(g, true, 1, pool).step, 13);
  assert_int_equal(rm_budget_bound(g, false, 1, pool).bytes, 16);
  rm_pool_destroy(pool);
}

/* x made once, read at the end; in between an op of 5 bytes. */
static void counts_what_cannot_be_made_again(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  rm_graph_op(g, 1, 0, NULL, 0, false);
  int32_t x = rm_graph_result(g, 3);
  rm_graph_op(g, 1, 1, &x, 1, true);
  int32_t y = rm_graph_result(g, 2);
  rm_graph_op(g, 1, 0, &y, 1, true);
  int32_t z = rm_graph_result(g, 2);
  rm_graph_op(g, 1, 0, (int32_t[]){x, z}, 2, true);
  RmBudgetBound bound = rm_budget_bound(g, false, 1, pool);
  assert_int_equal(bound.bytes, 7);
  assert_int_equal(bound.step, 2);
  rm_pool_destroy(pool);
}

static void check_many(uint32_t seed, int32_t trials, int32_t ops, bool rich,
                       bool fixed_order, int32_t percent) {
  int32_t met = 0;
  for (int32_t trial = 0; trial < trials; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&seed, 3 + trial % (ops - 2), rich, pool);
    int64_t truth = least_budget(g, fixed_order);
    RmBudgetBound bound = rm_budget_bound(g, fixed_order, 1, pool);
    if (bound.bytes > truth)
      fail_msg("bound %ld above %ld", (long)bound.bytes, (long)truth);
    met += bound.bytes == truth;
    rm_pool_destroy(pool);
  }
  if (100 * met < percent * trials)
    fail_msg("%d of %d bounds meet the truth", met, trials);
}

static void never_above_the_truth(void **unused) {
  (void)unused;
  check_many(1, 500, 8, false, true, 99);
  check_many(2, 500, 8, true, true, 99);
}

static void never_above_the_truth_in_any_order(void **unused) {
  (void)unused;
  check_many(3, 200, 6, false, false, 99);
  check_many(4, 200, 6, true, false, 99);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sees_that_residuals_need_more_than_an_op),
      cmocka_unit_test(counts_what_cannot_be_made_again),
      cmocka_unit_test(never_above_the_truth),
      cmocka_unit_test(never_above_the_truth_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
