/* test/unit/epochs-test.c - what a solver says of steps is never above the
 * truth, whatever the steps; and with all that matter it mostly is the truth.
 * Without a solver nothing is said. */

#include "plan/budget-bound.h"
#include "plan/epochs.h"
#include "plan/exact.h"
#include "plan/mip.h"

#include "exhaustive.h"

#include <pthread.h>
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
    const RmEpochs limits = {.enough = 1000,
                             .size = 100000,
                             .nodes = 1000,
                             .questions = 1 + trial % 3,
                             .nodes_times_size = 100000000,
                             .short_rows = trial % 2};
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

/* A forward of n ops, each of which reads the one before, and the backward,
 * each of which reads two of them. */
static RmGraph *draw_step(uint32_t *seed, int32_t n, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t i = 0; i <= 2 * n; ++i) {
    int32_t inputs[] = {i - 1, 2 * n - i, 2 * n - i - 1};
    int32_t count = i == 0 ? 0 : i <= n ? 1 : i == 2 * n ? 2 : 3;
    rm_graph_op(g, 1 + draw(seed, 9), 0, inputs, count, true);
    rm_graph_result(g, 1 + draw(seed, 4));
  }
  return g;
}

/* What the solver says of all steps, in one question. */
static int64_t bound_at_all_steps(const RmGraph *g, int64_t budget,
                                  RmPool *pool) {
  const RmEpochs limits = {.enough = 1000,
                           .size = 1000000,
                           .nodes = 1000,
                           .questions = 1,
                           .nodes_times_size = 100000000};
  RmSchedule all = rm_schedule_identity(g, pool);
  return rm_epochs_bound(g, budget, all.steps, all.count, &limits, pool);
}

/* Whether it meets what a search through all plans finds. */
static bool check_step(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmExact exact = rm_exact_plan(&problem, pool);
  int64_t bound = bound_at_all_steps(g, budget, pool);
  int64_t truth = exact.cost_bound - total_cost(g);
  assert_true(exact.proved);
  if (exact.schedule.steps && bound > truth)
    fail_msg("bound %ld above %ld", (long)bound, (long)truth);
  return bound == truth;
}

/* Here relaxed plans cheat along the chain. */
static void never_above_the_truth_of_training_steps(void **unused) {
  (void)unused;
  uint32_t seed = 35;
  int32_t met = 0, asked = 0;
  for (int32_t trial = 0; trial < 12; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_step(&seed, 6 + trial % 4, pool);
    int64_t least = rm_budget_bound(g, true, 1, pool).bytes;
    for (int64_t budget = least; budget < least + 6; ++budget, ++asked)
      met += check_step(g, budget, pool);
    rm_pool_destroy(pool);
  }
  if (rm_mip_is_there() && 10 * met < 8 * asked)
    fail_msg("%d of %d bounds meet the truth", met, asked);
}

typedef struct Asked {
  int64_t budget, bound;
} Asked;

static void *ask_as_thread(void *asked) {
  Asked *a = asked;
  uint32_t seed = 36;
  RmPool *pool = rm_pool_create_or_abort();
  a->bound = bound_at_all_steps(draw_step(&seed, 9, pool), a->budget, pool);
  rm_pool_destroy(pool);
  return NULL;
}

static void says_the_same_on_many_threads(void **unused) {
  (void)unused;
  enum { THREADS = 6 };
  Asked alone[THREADS], together[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    alone[i].budget = together[i].budget = 12 + i / 2;
    ask_as_thread(&alone[i]);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&threads[i], NULL, ask_as_thread, &together[i]);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(together[i].bound, alone[i].bound);
  }
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
      cmocka_unit_test(never_above_the_truth_of_training_steps),
      cmocka_unit_test(says_the_same_on_many_threads),
      cmocka_unit_test(asks_for_no_more_than_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
