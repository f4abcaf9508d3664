/* test/unit/prune-test.c - runs again that nothing reads go, and only those. */
#include "plan/prune.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* 0 -> 1 -> 2, and 3 reads 0. */
static RmGraph *fork_of_four(RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  rm_graph_op(g, 1, 0, NULL, 0, true);
  int32_t a = rm_graph_result(g, 1);
  rm_graph_op(g, 1, 0, &a, 1, true);
  int32_t b = rm_graph_result(g, 1);
  rm_graph_op(g, 1, 0, &b, 1, true);
  rm_graph_result(g, 1);
  rm_graph_op(g, 1, 0, &a, 1, true);
  rm_graph_result(g, 1);
  return g;
}

static void expect(const int32_t *steps, int32_t count, const int32_t *left,
                   int32_t num_left) {
  RmPool *pool = rm_pool_create_or_abort();
  RmSchedule schedule = {RM_NEW_ARRAY(pool, int32_t, count), count};
  memcpy(schedule.steps, steps, sizeof *steps * (size_t)count);
  rm_schedule_prune(fork_of_four(pool), &schedule, pool);
  assert_int_equal(schedule.count, num_left);
  assert_memory_equal(schedule.steps, left, sizeof *left * (size_t)num_left);
  rm_pool_destroy(pool);
}

static void useless_chains_go(void **unused) {
  (void)unused;
  const int32_t steps[] = {0, 1, 2, 0, 1, 3}, left[] = {0, 1, 2, 0, 3};
  expect(steps, 6, left, 5);
}

static void a_run_shadowed_by_the_next_goes(void **unused) {
  (void)unused;
  const int32_t steps[] = {0, 1, 0, 2, 0, 3}, left[] = {0, 1, 2, 0, 3};
  expect(steps, 6, left, 5);
}

static void first_runs_stay(void **unused) {
  (void)unused;
  const int32_t steps[] = {0, 1, 2, 3};
  expect(steps, 4, steps, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(useless_chains_go),
      cmocka_unit_test(a_run_shadowed_by_the_next_goes),
      cmocka_unit_test(first_runs_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
