/* test/unit/pool-test.c - pools, their branches, and what they count. */
#include "support/door.h"
#include "support/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_branch_goes_before_its_trunk(void **unused) {
  (void)unused;
  RmPool *trunk = rm_pool_create();
  int *kept = RM_NEW(trunk, int);
  size_t before = trunk->bytes;
  RmPool *branch = rm_pool_branch(trunk), *other = rm_pool_branch(trunk);
  RM_NEW_ARRAY(branch, char, 1 << 20);
  RM_NEW_ARRAY(other, char, 1 << 10);
  assert_true(trunk->bytes > before + (1 << 20));
  rm_pool_destroy(branch);
  rm_pool_destroy(other);
  assert_int_equal(trunk->bytes, before);
  assert_true(rm_pool_bytes(trunk) > before + (1 << 20));
  assert_int_equal(*kept, 0);
  rm_pool_destroy(trunk);
}

static void branches_left_go_with_the_trunk(void **unused) {
  (void)unused;
  RmPool *trunk = rm_pool_create();
  RmPool *twig = rm_pool_branch(rm_pool_branch(trunk));
  RM_NEW_ARRAY(twig, char, 1 << 20);
  rm_pool_branch(trunk);
  rm_pool_destroy(trunk); /* a leak would be told of by the sanitizer */
}

/* Each allocation in turn fails, the branches' own too. */
static void a_branch_that_runs_out_jumps_where_its_trunk_would(void **unused) {
  (void)unused;
  for (long n = 1; n <= 3; ++n) {
    RmPool *trunk = rm_pool_create();
    if (setjmp(trunk->exhausted) == 0) {
      rm_door_fail_at(n);
      RmPool *twig = rm_pool_branch(rm_pool_branch(trunk));
      RM_NEW_ARRAY(twig, char, 100);
      fail();
    }
    rm_door_fail_at(0);
    rm_pool_destroy(trunk);
  }
}

static void what_grows_at_the_end_stays_in_place(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create();
  RmIntVec list = {0};
  rm_vec_push(pool, &list, 0);
  int32_t *first = list.items;
  for (int32_t i = 1; i < 200; ++i)
    rm_vec_push(pool, &list, i);
  assert_ptr_equal(list.items, first);
  RM_NEW(pool, int);
  for (int32_t i = 200; i < 100000; ++i)
    rm_vec_push(pool, &list, i);
  for (int32_t i = 0; i < 100000; ++i)
    assert_int_equal(list.items[i], i);
  for (size_t i = list.count; i < list.capacity; ++i)
    assert_int_equal(list.items[i], 0);
  rm_pool_destroy(pool);
}

/* The copies that a list leaves behind as it grows do not add up. */
static void what_grows_large_leaves_nothing_behind(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create();
  RmIntVec lists[2] = {{0}};
  for (int32_t i = 0; i < 2000000; ++i)
    rm_vec_push(pool, &lists[i % 2], i);
  assert_int_equal(lists[0].items[999999], 1999998);
  assert_int_equal(lists[1].items[999999], 1999999);
  size_t held = (lists[0].capacity + lists[1].capacity) * sizeof(int32_t);
  assert_true(pool->bytes < held + held / 8);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_branch_goes_before_its_trunk),
      cmocka_unit_test(branches_left_go_with_the_trunk),
      cmocka_unit_test(a_branch_that_runs_out_jumps_where_its_trunk_would),
      cmocka_unit_test(what_grows_at_the_end_stays_in_place),
      cmocka_unit_test(what_grows_large_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
