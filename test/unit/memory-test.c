/* test/unit/memory-test.c - placements are valid, bounds hold, small ones are
 * best: against an exhaustive search of all offsets. */

#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t draw(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

static RmPlacement place(const RmBuffer *buffers, int32_t count, int effort,
                         RmPool *pool) {
  RmMemoryProblem problem = {.buffers = buffers, .count = count};
  return rm_memory_place(&problem, effort, pool);
}

static const char *check(const RmBuffer *buffers, int32_t count,
                         const RmPlacement *placement, RmPool *pool) {
  RmMemoryProblem problem = {.buffers = buffers, .count = count};
  return rm_memory_check(&problem, placement, pool);
}

static void assert_valid(const RmBuffer *buffers, int32_t count,
                         const RmPlacement *placement, RmPool *pool) {
  const char *wrong = check(buffers, count, placement, pool);
  if (wrong)
    fail_msg("%s", wrong);
}

/*===-- The oracle --------------------------------------------------------===*/

static bool meets(const RmBuffer *a, const RmBuffer *b) {
  return a->lower < b->upper && b->lower < a->upper;
}

static bool is_free(const RmBuffer *buffers, const int64_t *at, int32_t item,
                    int64_t offset) {
  const RmBuffer *b = &buffers[item];
  for (int32_t i = 0; i < item; ++i)
    if (meets(&buffers[i], b) && at[i] < offset + b->size &&
        offset < at[i] + buffers[i].size)
      return false;
  return true;
}

/* Whether all buffers from `item` on find a place below `arena`. */
static bool fits(const RmBuffer *buffers, int32_t count, int64_t arena,
                 int64_t *at, int32_t item) {
  if (item == count)
    return true;
  const RmBuffer *b = &buffers[item];
  int64_t first = b->fixed >= 0 ? b->fixed : 0;
  int64_t last = b->fixed >= 0 ? b->fixed : arena - b->size;
  for (at[item] = first; at[item] <= last; at[item] += b->alignment)
    if (at[item] + b->size <= arena && is_free(buffers, at, item, at[item]) &&
        fits(buffers, count, arena, at, item + 1))
      return true;
  return false;
}

static int64_t least_arena(const RmBuffer *buffers, int32_t count) {
  int64_t at[8];
  for (int64_t arena = 0;; ++arena)
    if (fits(buffers, count, arena, at, 0))
      return arena;
}

/* Up to six buffers of up to six bytes; some aligned, at most one fixed. */
static int32_t make_small(uint32_t seed, RmBuffer *buffers) {
  uint32_t state = seed * 2654435761u + 12345u;
  int32_t count = 2 + (int32_t)draw(&state, 5);
  bool aligned = draw(&state, 2);
  for (int32_t i = 0; i < count; ++i) {
    int64_t lower = draw(&state, 6);
    int64_t alignment = aligned ? (int64_t)1 << draw(&state, 3) : 1;
    buffers[i] = (RmBuffer){lower, lower + 1 + draw(&state, 4),
                            1 + draw(&state, 6), alignment, -1};
  }
  if (draw(&state, 4) == 0)
    buffers[0].fixed = buffers[0].alignment * draw(&state, 3);
  return count;
}

static void small_sets_are_placed_best(void **unused) {
  (void)unused;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    RmPool *pool = rm_pool_create_or_abort();
    RmBuffer buffers[8];
    int32_t count = make_small(seed, buffers);
    RmPlacement placement = place(buffers, count, 2, pool);
    assert_valid(buffers, count, &placement, pool);
    if (placement.arena != least_arena(buffers, count))
      fail_msg("seed %u: arena %ld", seed, (long)placement.arena);
    assert_int_equal(placement.arena, placement.lower_bound);
    rm_pool_destroy(pool);
  }
}

static void bounds_hold_at_every_effort(void **unused) {
  (void)unused;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    RmPool *pool = rm_pool_create_or_abort();
    RmBuffer buffers[8];
    int32_t count = make_small(seed, buffers);
    int64_t least = least_arena(buffers, count);
    for (int effort = 0; effort < 4; ++effort) {
      RmPlacement placement = place(buffers, count, effort, pool);
      assert_valid(buffers, count, &placement, pool);
      assert_true(placement.arena >= least);
      assert_true(placement.lower_bound <= least);
    }
    rm_pool_destroy(pool);
  }
}

/*===-- Larger sets -------------------------------------------------------===*/

/* Cuts [lower, upper) x `size` into `count` pieces: the load is `size` at every
 * tick, so an arena of `size` is best. */
static void cut(uint32_t *state, RmBuffer *buffers, int32_t count,
                int64_t lower, int64_t upper, int64_t size) {
  if (count == 1) {
    *buffers = (RmBuffer){lower, upper, size, 1, -1};
    return;
  }
  int32_t first = 1 + (int32_t)draw(state, (uint32_t)count - 1);
  if (draw(state, 2) || size < 2 * count) {
    int64_t at = lower + (upper - lower) * first / count;
    cut(state, buffers, first, lower, at, size);
    cut(state, buffers + first, count - first, at, upper, size);
    return;
  }
  int64_t at = size * first / count;
  cut(state, buffers, first, lower, upper, at);
  cut(state, buffers + first, count - first, lower, upper, size - at);
}

static RmBuffer *cut_rectangle(RmPool *pool, uint32_t seed, int32_t count,
                               int64_t size) {
  RmBuffer *buffers = RM_NEW_ARRAY(pool, RmBuffer, count);
  cut(&seed, buffers, count, 0, (int64_t)count << 20, size);
  for (int32_t i = count - 1; i > 0; --i) {
    int32_t j = (int32_t)draw(&seed, (uint32_t)i + 1);
    RmBuffer b = buffers[i];
    buffers[i] = buffers[j];
    buffers[j] = b;
  }
  return buffers;
}

static void planted_bound_is_found(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  for (uint32_t seed = 1; seed < 6; ++seed) {
    RmBuffer *buffers = cut_rectangle(pool, seed, 40, 1 << 20);
    RmPlacement placement = place(buffers, 40, 2, pool);
    assert_valid(buffers, 40, &placement, pool);
    assert_int_equal(placement.lower_bound, 1 << 20);
    assert_int_equal(placement.arena, 1 << 20);
  }
  rm_pool_destroy(pool);
}

/* Cuts [lower, upper) x `size` into five around a middle one, and these again:
 * 5^depth pieces, no two of which fill a rectangle. */
static RmBuffer *turn(uint32_t *state, RmBuffer *buffers, int depth,
                      int64_t lower, int64_t upper, int64_t size) {
  if (!depth) {
    *buffers = (RmBuffer){lower, upper, size, 1, -1};
    return buffers + 1;
  }
  int64_t width = (upper - lower) / 3, third = size / 3;
  int64_t x1 = lower + width - draw(state, (uint32_t)width / 2);
  int64_t x2 = upper - width + draw(state, (uint32_t)width / 2);
  int64_t y1 = third - draw(state, (uint32_t)third / 2);
  int64_t y2 = size - third + draw(state, (uint32_t)third / 2);
  buffers = turn(state, buffers, depth - 1, lower, x2, y1);
  buffers = turn(state, buffers, depth - 1, x2, upper, y2);
  buffers = turn(state, buffers, depth - 1, x1, upper, size - y2);
  buffers = turn(state, buffers, depth - 1, lower, x1, size - y1);
  return turn(state, buffers, depth - 1, x1, x2, y2 - y1);
}

/* Without each `gap`-th piece, if it is not 0. */
static void assert_put_together(int32_t gap) {
  enum { PIECES = 3125 };
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer *buffers = RM_NEW_ARRAY(pool, RmBuffer, PIECES);
  for (uint32_t seed = 1; seed < 4; ++seed) {
    uint32_t state = seed;
    int32_t count = 0;
    turn(&state, buffers, 5, 0, 1 << 30, 1 << 30);
    for (int32_t i = 0; i < PIECES; ++i)
      if (!gap || (i + 1) % gap)
        buffers[count++] = buffers[i];
    RmPlacement placement = place(buffers, count, 0, pool);
    assert_valid(buffers, count, &placement, pool);
    assert_int_equal(placement.arena, 1 << 30);
  }
  rm_pool_destroy(pool);
}

static void pieces_are_put_together_again(void **unused) {
  (void)unused;
  assert_put_together(0);
}

static void holes_between_pieces_are_found(void **unused) {
  (void)unused;
  assert_put_together(200);
}

static void large_sets_are_valid_and_repeatable(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  int32_t count = 20000;
  RmBuffer *buffers = cut_rectangle(pool, 7, count, 1 << 30);
  RmPlacement first = place(buffers, count, 0, pool);
  RmPlacement second = place(buffers, count, 0, pool);
  assert_valid(buffers, count, &first, pool);
  assert_int_equal(first.lower_bound, 1 << 30);
  assert_memory_equal(first.offsets, second.offsets,
                      (size_t)count * sizeof *first.offsets);
  rm_pool_destroy(pool);
}

static void no_rule_is_better(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  for (uint32_t seed = 1; seed < 9; ++seed) {
    RmBuffer *buffers = cut_rectangle(pool, seed, 150, 1 << 20);
    RmMemoryProblem problem = {.buffers = buffers, .count = 150};
    RmPlacement best = rm_memory_place(&problem, 0, pool);
    for (const char *const *rule = rm_memory_rules; *rule; ++rule) {
      RmPlacement other = rm_memory_place_by_rule(&problem, *rule, pool);
      assert_valid(buffers, 150, &other, pool);
      assert_true(best.arena <= other.arena);
    }
  }
  rm_pool_destroy(pool);
}

/*===-- Single cases ------------------------------------------------------===*/

static void nothing_needs_nothing(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmPlacement placement = place(NULL, 0, 1, pool);
  assert_int_equal(placement.arena, 0);
  assert_int_equal(placement.lower_bound, 0);
  RmBuffer empty = {0, 1, 0, 64, -1};
  placement = place(&empty, 1, 1, pool);
  assert_valid(&empty, 1, &placement, pool);
  assert_int_equal(placement.arena, 0);
  rm_pool_destroy(pool);
}

static void chain_of_three_needs_two(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer chain[] = {{0, 2, 100, 1, -1}, {1, 3, 80, 1, -1}, {2, 4, 60, 1, -1}};
  RmPlacement placement = place(chain, 3, 0, pool);
  assert_valid(chain, 3, &placement, pool);
  assert_int_equal(placement.arena, 180);
  rm_pool_destroy(pool);
}

/* Rounding counts for all but the topmost buffer, so 64 + 10 and not 128. */
static void alignment_counts_in_the_bound(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer pair[] = {{0, 2, 10, 64, -1}, {0, 2, 10, 64, -1}};
  RmPlacement placement = place(pair, 2, 0, pool);
  assert_valid(pair, 2, &placement, pool);
  assert_int_equal(placement.lower_bound, 74);
  assert_int_equal(placement.arena, 74);
  rm_pool_destroy(pool);
}

/* Of four buffers three live at once; the other one is not named. */
static void what_cannot_fit_is_named(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer buffers[] = {
      {0, 2, 8, 1, -1}, {5, 6, 9, 1, -1}, {1, 3, 8, 1, -1}, {1, 2, 8, 1, -1}};
  RmMemoryProblem problem = {.buffers = buffers, .count = 4, .capacity = 20};
  RmPlacement placement = rm_memory_place(&problem, 1, pool);
  int32_t expected[] = {0, 2, 3};
  assert_int_equal(placement.lower_bound, 24);
  assert_int_equal(placement.num_unfit, 3);
  assert_memory_equal(placement.unfit, expected, sizeof expected);
  rm_pool_destroy(pool);
}

/* Two fixed offsets, so there is no placement at all. */
static void there_may_be_no_placement(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer buffers[] = {{0, 2, 8, 1, 4}, {0, 3, 1, 1, -1}, {1, 3, 8, 1, 8}};
  RmMemoryProblem problem = {.buffers = buffers, .count = 3};
  RmPlacement placement = rm_memory_place(&problem, 1, pool);
  assert_null(placement.offsets);
  assert_true(placement.lower_bound == INT64_MAX);
  assert_int_equal(placement.num_unfit, 2);
  assert_int_equal(placement.unfit[0], 0);
  assert_int_equal(placement.unfit[1], 2);
  rm_pool_destroy(pool);
}

/* No allocation above 10 bytes: the third buffer starts the second one. */
static void banks_split_an_arena(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer buffers[] = {{0, 1, 6, 1, -1}, {0, 1, 6, 1, -1}, {0, 1, 4, 1, -1}};
  RmMemoryProblem problem = {.buffers = buffers, .count = 3, .bank_bytes = 10};
  RmPlacement placement = rm_memory_place(&problem, 1, pool);
  assert_null(rm_memory_check(&problem, &placement, pool));
  assert_int_equal(placement.arena, 16);
  assert_int_equal(placement.lower_bound, 16);
  rm_pool_destroy(pool);
}

/*===-- The validator -----------------------------------------------------===*/

static void validator_names_both_buffers(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer pair[] = {{0, 2, 8, 1, -1}, {1, 3, 8, 1, -1}};
  int64_t at[] = {0, 7};
  RmPlacement placement = {.offsets = at, .arena = 15};
  assert_string_equal(check(pair, 2, &placement, pool),
                      "buffers 0 and 1 overlap: 0 lives [0, 2) in bytes "
                      "[0, 8), 1 lives [1, 3) in bytes [7, 15)");
  rm_pool_destroy(pool);
}

static void validator_checks_each_constraint(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer one = {0, 1, 8, 16, 32};
  int64_t at = 0;
  RmPlacement placement = {.offsets = &at, .arena = 8};
  const char *wrong = check(&one, 1, &placement, pool);
  assert_string_equal(wrong, "buffer 0 is at 0, it must be at 32");
  at = 8;
  wrong = check(&one, 1, &placement, pool);
  assert_string_equal(wrong, "buffer 0 at 8 is not aligned to 16");
  at = 32;
  assert_non_null(check(&one, 1, &placement, pool));
  placement.arena = 40;
  assert_null(check(&one, 1, &placement, pool));
  rm_pool_destroy(pool);
}

/* One problem with all of them; each placement breaks one. */
static void validator_names_what_is_broken(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmBuffer buffers[] = {
      {0, 9, 4, 1, -1}, {3, 5, 4, 1, -1}, {5, 6, 4, 1, -1}, {10, 11, 4, 1, -1}};
  RmHole hole = {0, 3, 5};
  RmByteRange taken = {8, 10};
  RmBufferPair together = {1, 2}, apart = {2, 3};
  int32_t banks[] = {-1, -1, -1, 1};
  RmMemoryProblem problem = {.buffers = buffers,
                             .count = 4,
                             .bank_bytes = 16,
                             .banks = banks,
                             .holes = &hole,
                             .num_holes = 1,
                             .reserved = &taken,
                             .num_reserved = 1,
                             .together = &together,
                             .num_together = 1,
                             .apart = &apart,
                             .num_apart = 1};
  const struct {
    int64_t at[4];
    const char *wrong;
  } cases[] = {
      {{0, 4, 4, 16}, NULL},
      {{4, 4, 4, 16},
       "buffers 0 and 2 overlap: 0 lives [0, 9) in bytes [4, 8), 2 lives "
       "[5, 6) in bytes [4, 8)"},
      {{6, 4, 4, 16},
       "buffer 0 in bytes [6, 10) overlaps reserved bytes [8, 10)"},
      {{14, 4, 4, 16}, "buffer 0 in bytes [14, 18) crosses a bank border"},
      {{0, 4, 4, 12}, "buffer 3 in bytes [12, 16) is not in bank 1"},
      {{0, 0, 4, 16},
       "buffers 1 and 2 are not together: 1 lives [3, 5) in bytes [0, 4), 2 "
       "lives [5, 6) in bytes [4, 8)"},
      {{0, 18, 18, 16},
       "buffers 2 and 3 are not apart: 2 lives [5, 6) in bytes [18, 22), 3 "
       "lives [10, 11) in bytes [16, 20)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int64_t at[4];
    memcpy(at, cases[i].at, sizeof at);
    RmPlacement placement = {.offsets = at};
    for (int32_t k = 0; k < 4; ++k)
      if (at[k] + 4 > placement.arena)
        placement.arena = at[k] + 4;
    const char *wrong = rm_memory_check(&problem, &placement, pool);
    if (cases[i].wrong)
      assert_string_equal(wrong, cases[i].wrong);
    else
      assert_null(wrong);
  }
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_sets_are_placed_best),
      cmocka_unit_test(bounds_hold_at_every_effort),
      cmocka_unit_test(planted_bound_is_found),
      cmocka_unit_test(pieces_are_put_together_again),
      cmocka_unit_test(holes_between_pieces_are_found),
      cmocka_unit_test(large_sets_are_valid_and_repeatable),
      cmocka_unit_test(no_rule_is_better),
      cmocka_unit_test(nothing_needs_nothing),
      cmocka_unit_test(chain_of_three_needs_two),
      cmocka_unit_test(alignment_counts_in_the_bound),
      cmocka_unit_test(what_cannot_fit_is_named),
      cmocka_unit_test(there_may_be_no_placement),
      cmocka_unit_test(banks_split_an_arena),
      cmocka_unit_test(validator_names_both_buffers),
      cmocka_unit_test(validator_checks_each_constraint),
      cmocka_unit_test(validator_names_what_is_broken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
