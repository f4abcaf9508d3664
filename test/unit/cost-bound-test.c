/* test/unit/cost-bound-test.c - the bound is never above the truth at any
 * budget and effort: against an exhaustive search of all schedules. */

#include "plan/cost-bound.h"

#include "exhaustive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check_budgets(const RmGraph *g, bool fixed_order, int effort,
                          int32_t *asked, int32_t *met, RmPool *pool) {
  RmSchedule natural = rm_schedule_identity(g, pool);
  int64_t peak = rm_schedule_measure(g, &natural, pool).peak;
  for (int64_t budget = 0; budget <= peak; ++budget) {
    int64_t truth = least_cost(g, budget, fixed_order);
    RmCostBound bound = rm_cost_bound(g, budget, fixed_order, effort, pool);
    assert_true(bound.cost >= total_cost(g));
    if (truth >= 0 && (!bound.feasible || bound.cost > truth))
      fail_msg("bound %ld above %ld", (long)bound.cost, (long)truth);
    *asked += budget < peak;
    *met +=
        budget < peak && (truth < 0 ? !bound.feasible : bound.cost == truth);
  }
}

static void check_many(uint32_t seed, int32_t trials, int32_t ops, bool rich,
                       bool fixed_order, int32_t percent) {
  int32_t asked = 0, met = 0;
  for (int32_t trial = 0; trial < trials; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&seed, 3 + trial % (ops - 2), rich, pool);
    check_budgets(g, fixed_order, trial % 4, &asked, &met, pool);
    rm_pool_destroy(pool);
  }
  if (100 * met < percent * asked)
    fail_msg("%d of %d bounds meet the truth", met, asked);
}

static void never_above_the_truth(void **unused) {
  (void)unused;
  check_many(11, 400, 8, false, true, 95);
  check_many(12, 400, 8, true, true, 95);
}

static void never_above_the_truth_in_any_order(void **unused) {
  (void)unused;
  check_many(13, 400, 8, false, false, 95);
  check_many(14, 400, 8, true, false, 95);
}

/* Forward 0..n-1, then the loss, then backward: 2n+1 ops of cost and size 1. */
static RmGraph *build_linear(int32_t n, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t i = 0; i <= 2 * n; ++i) {
    int32_t inputs[] = {i - 1, 2 * n - i};
    int32_t count = i == 0 ? 0 : i > n ? 2 : 1;
    rm_graph_op(g, 1, 0, inputs, count, true);
    rm_graph_result(g, 1);
  }
  return g;
}

/* Published optima of the linear graph: a budget of n + 2 needs nothing. */
static void knows_the_linear_graph(void **unused) {
  (void)unused;
  static const int64_t least[] = {45, 26, 22, 21, 20, 19, 18, 17};
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = build_linear(8, pool);
  assert_false(rm_cost_bound(g, 2, true, 1, pool).feasible);
  for (int32_t i = 0; i < 8; ++i) {
    RmCostBound bound = rm_cost_bound(g, 3 + i, true, 1, pool);
    assert_true(bound.feasible);
    assert_true(bound.cost <= least[i]);
    if (i >= 2)
      assert_int_equal(bound.cost, least[i]);
  }
  rm_pool_destroy(pool);
}

/* As reports and `cost_bound_by` of remat.plan have it. */
static void says_on_what_it_rests(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  const int32_t ops[] = {3, 5, 8, 13, 21, 34, 55, 89, 144};
  assert_string_equal(rm_proof_print(RM_PROOF_OPS, NULL, 0, pool),
                      "each op once");
  assert_string_equal(rm_proof_print(RM_PROOF_CUT, ops, 1, pool),
                      "min cut at op 3");
  assert_string_equal(rm_proof_print(RM_PROOF_CUTS, ops, 3, pool),
                      "min cuts at ops 3, 5, 8");
  assert_string_equal(rm_proof_print(RM_PROOF_CHOICES, ops, 1, pool),
                      "choices at op 3");
  assert_string_equal(rm_proof_print(RM_PROOF_SEARCH, NULL, 0, pool), "search");
  assert_string_equal(rm_proof_print(RM_PROOF_MIP, ops, 8, pool),
                      "mip at ops 3, 5, 8, 13, 21, 34, 55, 89");
  assert_string_equal(rm_proof_print(RM_PROOF_MIP, ops, 9, pool),
                      "mip at 9 ops from 3 to 144");
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(never_above_the_truth),
      cmocka_unit_test(never_above_the_truth_in_any_order),
      cmocka_unit_test(knows_the_linear_graph),
      cmocka_unit_test(says_on_what_it_rests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
