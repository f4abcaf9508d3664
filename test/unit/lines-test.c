/* test/unit/lines-test.c - the greatest of growing numbers, against a look at
 * all of them. */
#include "exhaustive.h"

#include "plan/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double value_at(const RmLine *line, int64_t now) {
  return line->slope < 0 ? -1 : line->slope * (double)(now - line->since);
}

static void check(RmLines *lines, int32_t count, int64_t now) {
  double most = -1;
  for (int32_t i = 0; i < count; ++i)
    if (value_at(&lines->lines[i], now) > most)
      most = value_at(&lines->lines[i], now);
  int32_t greatest = rm_lines_greatest(lines, now);
  assert_int_equal(greatest < 0, most < 0);
  if (greatest >= 0)
    assert_true(value_at(&lines->lines[greatest], now) >= most * (1 - 1e-12));
}

static void the_greatest_of_all_times(void **unused) {
  (void)unused;
  uint32_t state = 3;
  for (int32_t count = 0; count < 40; ++count) {
    RmPool *pool = rm_pool_create_or_abort();
    RmLines lines = rm_lines_create(count, pool);
    int64_t now = 0;
    for (int turn = 0; turn < 2000; ++turn) {
      now += chance(&state, 30) ? draw(&state, 1 + draw(&state, 5000)) : 0;
      RmLine line = {chance(&state, 20) ? -1 : 0.1 * draw(&state, 40),
                     now - draw(&state, 100)};
      if (count && chance(&state, 50))
        rm_lines_set(&lines, (int32_t)draw(&state, (uint32_t)count), line, now);
      check(&lines, count, now);
    }
    rm_pool_destroy(pool);
  }
}

static void the_first_of_equals(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmLines lines = rm_lines_create(6, pool);
  for (int32_t i = 5; i >= 2; --i)
    rm_lines_set(&lines, i, (RmLine){1, 0}, 0);
  assert_int_equal(rm_lines_greatest(&lines, 0), 2);
  assert_int_equal(rm_lines_greatest(&lines, 9), 2);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_greatest_of_all_times),
      cmocka_unit_test(the_first_of_equals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
