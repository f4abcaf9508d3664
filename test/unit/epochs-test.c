/* test/unit/epochs-test.c - what a solver says of steps is never above the
 * truth, whatever the steps; and with all that matter it mostly is the truth.
 * Without a solver nothing is said. */

#include "plan/epochs.h"
#include "plan/mip.h"

#include "exhaustive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each op with a chance of so many percent. */
static RmIntVec draw_steps(const RmGraph *g, uint32_t *seed, uint32_t percent,
                           RmPool *pool) {
  RmIntVec steps = {0};
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    if (chance(seed, percent))
      rm_vec_push(pool, &steps, op);
  return steps;
}

static void check_many(uint32_t seed, int32_t trials, bool rich,
                       uint32_t percent, int32_t least_met) {
  int32_t asked = 0, met = 0;
  for (int32_t trial = 0; trial < trials; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&seed, 4 + trial % 5, rich, pool);
    int64_t budget = least_budget(g, true) + draw(&seed, 3);
    int64_t truth = least_cost(g, budget, true) - total_cost(g);
    const RmEpochs limits = {1000, 100000, 1000, 100000000, trial % 2};
    RmIntVec steps = draw_steps(g, &seed, percent, pool);
    int64_t bound = rm_epochs_bound(g, budget, steps.items,
                                    (int32_t)steps.count, &limits, pool);
    if (bound > truth)
      fail_msg("bound %ld above %ld", (long)bound, (long)truth);
    asked += truth > 0;
    met += truth > 0 && bound == truth;
    rm_pool_destroy(pool);
  }
  if (rm_mip_is_there() && 100 * met < least_met * asked)
    fail_msg("%d of %d bounds meet the truth", met, asked);
}

static void never_above_the_truth_at_some_steps(void **unused) {
  (void)unused;
  check_many(31, 60, false, 40, 20);
  check_many(32, 60, true, 40, 20);
}

static void mostly_the_truth_at_all_steps(void **unused) {
  (void)unused;
  check_many(33, 60, false, 100, 90);
  check_many(34, 60, true, 100, 90);
}

/* Of two that must not both be, with what they cost. */
static void asks_for_no_more_than_enough(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmMip *mip = rm_mip_create(pool);
  int32_t x = rm_mip_variable(mip, 7, true);
  int32_t y = rm_mip_variable(mip, 9, true);
  rm_mip_term(mip, x, 2);
  rm_mip_term(mip, y, 2);
  rm_mip_row(mip, 1, RM_MIP_FREE);
  assert_int_equal(rm_mip_size(mip), 62);
  if (rm_mip_is_there()) {
    assert_int_equal(rm_mip_bound(mip, 7, 10), 7);
    assert_int_equal(rm_mip_bound(mip, 100, 10), 7);
    assert_int_equal(rm_mip_bound(mip, 5, 10), 5);
    rm_mip_fix_at_one(mip, y);
    assert_int_equal(rm_mip_bound(mip, 100, 10), 9);
  } else {
    assert_int_equal(rm_mip_bound(mip, 7, 10), 0);
  }
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(never_above_the_truth_at_some_steps),
      cmocka_unit_test(mostly_the_truth_at_all_steps),
      cmocka_unit_test(asks_for_no_more_than_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
