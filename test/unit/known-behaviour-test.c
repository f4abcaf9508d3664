/* test/unit/known-behaviour-test.c - what the tests of PyTorch, XLA and TFLite
 * expect of their planners, asked of ours.
 *
 * PyTorch's budget (test_ac.py) bounds what is saved for the backward, not a
 * peak, so its values are asked of the knapsack that chooses what to save; its
 * evaluator's, of rm_segment_schedule. The knapsack's own vectors
 * (test_ac_knapsack.py) are in strategies-test.c. XLA's graphs
 * (hlo_rematerialization_test.cc) are planned by auto and by each strategy that
 * may choose any value; TFLite's profiles (rematerializer_test.cc) are counted.
 *
 * What does not apply here, and why:
 * - Regions that users checkpoint by hand keep their borders: a matter of the
 *   pass (test/plan: policies), for a graph has no names.
 * - Elements moved by fused kernels (test_perf.py): a graph counts bytes held,
 *   not moved; what is fused has no value in it.
 * - A smallest size to recompute: an option of the pass, which then marks the
 *   op as not to be run again; here as `recomputable = false`.
 * - Bodies of loops, planned inside: for a graph they are one op with
 *   workspace. Calls are so here too.
 * - Copies of the same layout: values have no layout; a copy is an op.
 * - Memory that asynchronous threads reserve: taken from the budget before.
 * - Of equal peaks TFLite names the later op; rm_schedule_measure the first. */
#include "plan/knapsack.h"
#include "plan/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/*===-- PyTorch -----------------------------------------------------------===*/

/* Saves within `capacity`; what is recomputed costs `again`, what is saved
 * takes `saved`. */
static void expect_saved(const RmItem *items, int32_t count, int64_t capacity,
                         int64_t saved, int64_t again) {
  RmPool *pool = rm_pool_create_or_abort();
  RmKnapsack k = rm_knapsack(items, count, capacity, pool);
  int64_t all = 0;
  for (int32_t i = 0; i < count; ++i)
    all += items[i].worth;
  assert_true(k.exact);
  assert_int_equal(k.weight, saved);
  assert_int_equal(all - k.worth, again);
  rm_pool_destroy(pool);
}

/* In halves of a unit: cos, then mm. Pointwise ops count no FLOPs. */
static void pointwise_ops_are_not_saved(void **unused) {
  (void)unused;
  RmItem cos = {2, 0};
  expect_saved(&cos, 1, 1, 0, 0);
}

/* Five times mm (a unit of FLOPs) and cos (none). What fits as it is stays as
 * it is, ten of ten, before any knapsack. */
static void rematerializes_cheap(void **unused) {
  (void)unused;
  RmItem items[10];
  for (int i = 0; i < 10; ++i)
    items[i] = (RmItem){1, i % 2};
  for (int budget = 0; budget < 10; ++budget)
    expect_saved(items, 10, budget, budget < 5 ? budget : 5,
                 budget < 5 ? 5 - budget : 0);
}

/* The product of a batch × in and an in × out matrix. */
static RmItem product(int64_t batch, int64_t in, int64_t out) {
  return (RmItem){batch * out, batch * in * out};
}

static void low_intensity_is_recomputed(void **unused) {
  (void)unused;
  RmItem two[] = {product(1, 1, 4), product(2, 2, 2)};
  expect_saved(two, 2, 4, 4, 4);
  RmItem three[] = {product(4, 4, 4), product(6, 6, 2), product(2, 2, 6)};
  expect_saved(three, 3, 28, 28, 24);
  expect_saved(three, 3, 16, 12, 88); /* to fill the budget is not the goal */
}

/* Sequences of s, features of d: attention takes 2 s s d, the product s d d. */
static void attention_or_product(void **unused) {
  (void)unused;
  static const int products[][2] = {{1, 1}, {2, 2}, {2, 1}, {4, 7}};
  static const int attentions[][2] = {{1, 3}, {2, 5}, {4, 9}};
  for (int i = 0; i < 4; ++i) {
    int64_t s = products[i][0], d = products[i][1];
    RmItem items[] = {{s * d, 2 * s * s * d}, {s * d, s * d * d}};
    expect_saved(items, 2, 2 * s * d * 6 / 10, s * d, s * d * d);
  }
  for (int i = 0; i < 3; ++i) {
    int64_t s = attentions[i][0], d = attentions[i][1];
    RmItem items[] = {{s * d, 2 * s * s * d}, {s * d, s * d * d}};
    expect_saved(items, 2, 2 * s * d * 6 / 10, s * d, 2 * s * s * d);
  }
}

static int32_t add(RmGraph *g, int64_t cost, int64_t bytes, int32_t a,
                   int32_t b) {
  int32_t inputs[] = {a, b};
  rm_graph_op(g, cost, 0, inputs, (a >= 0) + (b >= 0), true);
  return rm_graph_result(g, bytes);
}

/* Tenths; only the first of three is saved. */
static void the_evaluator_counts_the_backward(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t a = add(g, 100, 1, -1, -1), b = add(g, 50, 2, a, -1);
  int32_t c = add(g, 51, 2, b, -1), loss = add(g, 0, 0, -1, -1);
  int32_t back = add(g, 0, 0, c, loss);
  back = add(g, 0, 0, b, back);
  add(g, 0, 0, a, back);
  uint8_t backward[] = {0, 0, 0, 0, 1, 1, 1}, saved[] = {1, 0, 0, 1, 0, 0, 0};
  RmSchedule s = rm_segment_schedule(g, backward, saved, pool);
  const int64_t *live = rm_schedule_live(g, &s, pool);
  assert_int_equal(s.steps[3], 3); /* the loss */
  assert_int_equal(live[3], 1);
  assert_int_equal(live[6], 5); /* the first of the backward */
  assert_int_equal(s.steps[6], 4);
  assert_int_equal(rm_schedule_measure(g, &s, pool).cost - 201, 101);
  rm_pool_destroy(pool);
}

/*===-- XLA ---------------------------------------------------------------===*/

enum { KIB = 1024 };

typedef struct Variant {
  bool random;  /* the broadcast may not run again */
  bool bitcast; /* its late reader reads a view of it */
  bool tuple;   /* it is the second of two results */
} Variant;

enum { BROADCAST = 1 };

/* reshape, broadcast, negate, concat, slice, [bitcast,] concat, slice of f32s;
 * the first concat is the fullest step. */
static RmGraph *late_reader(Variant variant, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  int32_t param = rm_graph_argument(g, 4);
  rm_graph_op(g, 0, 0, &param, 1, true);
  int32_t reshape = rm_graph_view(g, param);
  rm_graph_op(g, 1, 0, &reshape, 1, !variant.random);
  if (variant.tuple)
    rm_graph_result(g, 4);
  int32_t bcast = rm_graph_result(g, 4 * KIB);
  int32_t negate = add(g, 1, 4 * KIB, bcast, -1);
  int32_t concat = add(g, 1, 8 * KIB, negate, -1);
  int32_t slice = add(g, 1, 4, concat, -1), late = bcast;
  if (variant.bitcast) {
    rm_graph_op(g, 0, 0, &bcast, 1, true);
    late = rm_graph_view(g, bcast);
  }
  int32_t last = add(g, 1, 4 * KIB + 4, late, slice);
  rm_graph_return(g, add(g, 1, 4, last, -1));
  return g;
}

/* Those that choose freely, from what any value costs. */
static const char *const free_ones[] = {"auto", "greedy", "search", "exact"};
enum { FREE_ONES = sizeof free_ones / sizeof *free_ones };

static RmPlanResult plan(const RmGraph *g, const char *strategy, int64_t budget,
                         RmPool *pool) {
  RmPlanOptions options = {.budget = budget,
                           .overhead = -1,
                           .strategy = rm_strategy_find(strategy),
                           .effort = 1};
  RmPlanResult r = rm_plan(g, &options, pool);
  assert_null(rm_schedule_verify(g, &r.schedule, true, pool));
  return r;
}

static int count_runs(const RmSchedule *s, int32_t op) {
  int runs = 0;
  for (int32_t i = 0; i < s->count; ++i)
    runs += s->steps[i] == op;
  return runs;
}

static void a_broadcast_is_cloned_before_its_late_user(void **unused) {
  (void)unused;
  static const Variant variants[] = {{0},
                                     {.bitcast = true},
                                     {.tuple = true},
                                     {.bitcast = true, .tuple = true}};
  for (size_t v = 0; v < sizeof variants / sizeof *variants; ++v)
    for (int i = 0; i < FREE_ONES; ++i) {
      RmPool *pool = rm_pool_create_or_abort();
      RmGraph *g = late_reader(variants[v], pool);
      RmPlanResult r = plan(g, free_ones[i], 14 * KIB, pool);
      int32_t late = r.schedule.count - 2; /* the last concat */
      assert_true(r.fits && r.measure.peak <= 12 * KIB + 8);
      assert_int_equal(r.measure.extra, 1);
      assert_int_equal(count_runs(&r.schedule, BROADCAST), 2);
      assert_int_equal(r.schedule.steps[late - 1 - variants[v].bitcast],
                       BROADCAST);
      rm_pool_destroy(pool);
    }
}

static void what_fits_is_not_changed(void **unused) {
  (void)unused;
  for (int i = 0; i < FREE_ONES; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = late_reader((Variant){0}, pool);
    RmPlanResult r = plan(g, free_ones[i], 20 * KIB, pool);
    assert_true(r.fits && r.schedule.count == (int32_t)g->ops.count);
    assert_int_equal(r.measure.peak, 16 * KIB);
    rm_pool_destroy(pool);
  }
}

static void random_numbers_are_never_drawn_again(void **unused) {
  (void)unused;
  for (int i = 0; i < FREE_ONES; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = late_reader((Variant){.random = true}, pool);
    RmPlanResult r = plan(g, free_ones[i], 14 * KIB, pool);
    assert_false(r.fits);
    assert_int_equal(count_runs(&r.schedule, BROADCAST), 1);
    rm_pool_destroy(pool);
  }
}

static void a_limit_that_cannot_be_met_ends(void **unused) {
  (void)unused;
  for (int i = 0; i < rm_num_strategies; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmPlanResult r =
        plan(late_reader((Variant){0}, pool), rm_strategies[i].name, KIB, pool);
    assert_false(r.fits);
    rm_pool_destroy(pool);
  }
}

/* A broadcast that four sums read, with calls of 8 KiB between them; a call
 * holds its operand, its result and the broadcast besides. XLA counts another
 * 4 KiB throughout, so its limit of 22 is 18 here. */
static void one_broadcast_is_cloned_three_times(void **unused) {
  (void)unused;
  for (int i = 0; i < FREE_ONES; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = rm_graph_create(pool);
    int32_t param = rm_graph_argument(g, 4), inputs[] = {param};
    rm_graph_op(g, 1, 0, inputs, 1, true);
    int32_t bcast = rm_graph_result(g, 4 * KIB);
    int32_t sum = add(g, 1, 4 * KIB, bcast, -1);
    for (int call = 0; call < 3; ++call) {
      rm_graph_op(g, 100, 8 * KIB, &sum, 1, true);
      int32_t result = rm_graph_result(g, 4 * KIB);
      sum = add(g, 1, 4 * KIB, bcast, result);
    }
    rm_graph_return(g, sum);
    RmPlanResult whole = plan(g, free_ones[i], 20 * KIB, pool);
    assert_int_equal(whole.measure.peak, 20 * KIB);
    RmPlanResult r = plan(g, free_ones[i], 18 * KIB, pool);
    assert_true(r.fits && r.measure.peak == 16 * KIB);
    assert_int_equal(r.measure.extra, 3);
    assert_int_equal(count_runs(&r.schedule, 0), 4);
    rm_pool_destroy(pool);
  }
}

/*===-- TFLite ------------------------------------------------------------===*/

/* Six tensors made in order and read in reverse. */
static void a_stack_of_tensors_has_this_profile(void **unused) {
  (void)unused;
  static const int64_t want[] = {32, 48, 56, 60, 62, 63,
                                 63, 62, 60, 56, 48, 32};
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  for (int32_t i = 0; i < 6; ++i)
    add(g, 1, 32 >> i, -1, -1);
  for (int32_t i = 5; i >= 0; --i)
    rm_graph_op(g, 1, 0, &i, 1, true);
  RmSchedule all = rm_schedule_identity(g, pool);
  assert_memory_equal(rm_schedule_live(g, &all, pool), want, sizeof want);
  assert_int_equal(rm_schedule_measure(g, &all, pool).peak_step, 5);
  rm_pool_destroy(pool);
}

/* Op 1 reads a byte and makes 100; a copy of it stands before op 3. */
static void a_copy_holds_its_input(void **unused) {
  (void)unused;
  static const int64_t before[] = {1, 101, 0, 0}, after[] = {1, 101, 1, 101, 0};
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t a = add(g, 1, 1, -1, -1);
  add(g, 1, 100, a, -1);
  rm_graph_op(g, 1, 0, NULL, 0, true);
  rm_graph_op(g, 1, 0, NULL, 0, true);
  RmSchedule all = rm_schedule_identity(g, pool);
  RmSchedule copied = {(int32_t[]){0, 1, 2, 1, 3}, 5};
  assert_memory_equal(rm_schedule_live(g, &all, pool), before, sizeof before);
  assert_memory_equal(rm_schedule_live(g, &copied, pool), after, sizeof after);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pointwise_ops_are_not_saved),
      cmocka_unit_test(rematerializes_cheap),
      cmocka_unit_test(low_intensity_is_recomputed),
      cmocka_unit_test(attention_or_product),
      cmocka_unit_test(the_evaluator_counts_the_backward),
      cmocka_unit_test(a_broadcast_is_cloned_before_its_late_user),
      cmocka_unit_test(what_fits_is_not_changed),
      cmocka_unit_test(random_numbers_are_never_drawn_again),
      cmocka_unit_test(a_limit_that_cannot_be_met_ends),
      cmocka_unit_test(one_broadcast_is_cloned_three_times),
      cmocka_unit_test(a_stack_of_tensors_has_this_profile),
      cmocka_unit_test(a_copy_holds_its_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
