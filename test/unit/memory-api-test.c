/* test/unit/memory-api-test.c - the public header of placements. */
#include "remat/memory.h"

#include "support/door.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two meet two others; none meets all. */
static const RematBuffer four[] = {{0, 2, 6, 0, -1, -1},
                                   {1, 3, 5, 0, -1, -1},
                                   {2, 4, 6, 0, -1, -1},
                                   {3, 5, 5, 0, -1, -1}};

static RematMemoryProblem problem_of_four(void) {
  return (RematMemoryProblem){.buffers = four, .numBuffers = 4};
}

static void the_best_arena_is_proven(void **state) {
  (void)state;
  RematMemoryProblem problem = problem_of_four();
  RematPlacement p = rematPlacementCreate(&problem, 1);
  assert_true(rematPlacementFits(p));
  assert_int_equal(rematPlacementGetArenaBytes(p), 11);
  assert_int_equal(rematPlacementGetBound(p), 11);
  assert_int_equal(rematPlacementGetOffset(p, 0),
                   rematPlacementGetOffset(p, 2));
  assert_int_equal(rematPlacementGetNumUnfit(p), 0);
  rematPlacementDestroy(p);
}

static void constraints_bind(void **state) {
  (void)state;
  RematByteRange reserved = {0, 4};
  RematBufferPair together = {1, 3}, apart = {0, 2};
  RematMemoryProblem problem = problem_of_four();
  problem.arenaAlignment = 32;
  problem.reserved = &reserved, problem.numReserved = 1;
  problem.together = &together, problem.numTogether = 1;
  problem.apart = &apart, problem.numApart = 1;
  RematPlacement p = rematPlacementCreate(&problem, 1);
  int64_t a = rematPlacementGetOffset(p, 0), c = rematPlacementGetOffset(p, 2);
  assert_int_equal(rematPlacementGetArenaBytes(p), 32);
  assert_int_equal(rematPlacementGetOffset(p, 1),
                   rematPlacementGetOffset(p, 3));
  assert_true(a >= 4 && c >= 4 && (a + 6 <= c || c + 6 <= a));
  rematPlacementDestroy(p);
}

static void banks_and_fixed_offsets_bind(void **state) {
  (void)state;
  RematBuffer two[] = {{0, 2, 4, 0, 9, -1}, {0, 2, 3, 0, -1, 1}};
  RematMemoryProblem problem = {
      .buffers = two, .numBuffers = 2, .bankBytes = 8};
  RematPlacement p = rematPlacementCreate(&problem, 1);
  assert_int_equal(rematPlacementGetOffset(p, 0), 9);
  assert_int_equal(rematPlacementGetOffset(p, 1), 13);
  rematPlacementDestroy(p);
}

static void bytes_are_free_in_a_gap(void **state) {
  (void)state;
  RematBuffer two[] = {{0, 9, 6, 0, -1, -1}, {3, 5, 6, 0, -1, -1}};
  RematGap gap = {0, 3, 5};
  RematMemoryProblem problem = {
      .buffers = two, .numBuffers = 2, .gaps = &gap, .numGaps = 1};
  RematPlacement p = rematPlacementCreate(&problem, 1);
  assert_int_equal(rematPlacementGetArenaBytes(p), 6);
  rematPlacementDestroy(p);
}

static void what_cannot_fit_is_named(void **state) {
  (void)state;
  RematMemoryProblem problem = problem_of_four();
  problem.capacity = 10;
  RematPlacement p = rematPlacementCreate(&problem, 1);
  assert_false(rematPlacementFits(p));
  assert_int_equal(rematPlacementGetBound(p), 11);
  assert_int_equal(rematPlacementGetNumUnfit(p), 2);
  int32_t a = rematPlacementGetUnfit(p, 0), b = rematPlacementGetUnfit(p, 1);
  assert_int_equal(a - b == 1 || b - a == 1, 1);
  rematPlacementDestroy(p);
}

static void what_has_no_placement_is_told(void **state) {
  (void)state;
  RematBuffer two[] = {{0, 2, 4, 0, 0, -1}, {1, 3, 4, 0, 3, -1}};
  RematMemoryProblem problem = {.buffers = two, .numBuffers = 2};
  RematPlacement p = rematPlacementCreate(&problem, 1);
  assert_false(rematPlacementFits(p));
  assert_true(rematPlacementGetBound(p) == INT64_MAX);
  assert_int_equal(rematPlacementGetOffset(p, 0), -1);
  assert_int_equal(rematPlacementGetNumUnfit(p), 2);
  rematPlacementDestroy(p);
}

static bool works_failing_at(long n) {
  RematMemoryProblem problem = problem_of_four();
  rm_door_fail_at(n);
  RematPlacement p = rematPlacementCreate(&problem, 1);
  rm_door_fail_at(0);
  bool works = p.ptr;
  rematPlacementDestroy(p);
  return works;
}

static void running_out_of_memory_is_told(void **state) {
  (void)state;
  assert_false(works_failing_at(1));
  long failures = 1;
  while (!works_failing_at(failures + 1))
    ++failures;
  assert_true(failures < 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_arena_is_proven),
      cmocka_unit_test(constraints_bind),
      cmocka_unit_test(banks_and_fixed_offsets_bind),
      cmocka_unit_test(bytes_are_free_in_a_gap),
      cmocka_unit_test(what_cannot_fit_is_named),
      cmocka_unit_test(what_has_no_placement_is_told),
      cmocka_unit_test(running_out_of_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
