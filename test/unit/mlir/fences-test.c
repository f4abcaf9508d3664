/* test/unit/mlir/fences-test.c - where fences stand, on graphs built by hand.
 */
#include "ir/fences.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct World {
  RmPool *pool;
  RmGraph *graph;
  RmOpShape *shapes;
} World;

enum { MOST_OPS = 200001 };

static World make_world(void) {
  RmPool *pool = rm_pool_create();
  World w = {.pool = pool,
             .graph = rm_graph_create(pool),
             .shapes = RM_NEW_ARRAY(pool, RmOpShape, MOST_OPS)};
  for (int i = 0; i < MOST_OPS; ++i)
    w.shapes[i].kind = (uint64_t)i + 1;
  return w;
}

/* Adds an op and gives the number of its result. */
static int32_t add(World *w, int32_t a, int32_t b) {
  int32_t inputs[] = {a, b};
  rm_graph_op(w->graph, 1, 0, inputs, a < 0 ? 0 : b < 0 ? 1 : 2, true);
  return rm_graph_result(w->graph, 4);
}

static RmFences place(World *w, int32_t *steps, int32_t count) {
  RmSchedule schedule = {steps, count};
  assert_null(rm_schedule_verify(w->graph, &schedule, false, w->pool));
  schedule = rm_schedule_without_dead(w->graph, &schedule, w->pool);
  return rm_fences_place(w->graph, &schedule, w->shapes, w->pool);
}

#define PLACE(w, ...)                                                          \
  place(w, (int32_t[]){__VA_ARGS__},                                           \
        sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

static void a_region_waits_for_what_its_reader_needs(void **state) {
  (void)state;
  World w = make_world();
  int32_t x = rm_graph_argument(w.graph, 4);
  int32_t a = add(&w, x, -1), b = add(&w, a, -1), g = add(&w, b, -1);
  rm_graph_return(w.graph, add(&w, g, b));
  RmFences f = PLACE(&w, 0, 1, 2, 1, 3);
  assert_int_equal(f.items.count, 1);
  assert_int_equal(f.items.items[0].begin, 3);
  assert_int_equal(f.items.items[0].end, 4);
  assert_int_equal(f.items.items[0].after, g);
  assert_int_equal(f.items.items[0].count, 1);
  assert_int_equal(f.from.items[0].value, a);
  assert_true(f.saved[f.first_instance[0]]);
  assert_false(f.saved[f.first_instance[1]]);
  rm_pool_destroy(w.pool);
}

static void without_such_it_waits_for_what_is_read_later(void **state) {
  (void)state;
  World w = make_world();
  int32_t x = rm_graph_argument(w.graph, 4);
  int32_t a = add(&w, x, -1), l = add(&w, a, -1);
  rm_graph_return(w.graph, l);
  rm_graph_return(w.graph, add(&w, a, -1));
  RmFences f = PLACE(&w, 0, 1, 0, 2);
  assert_int_equal(f.items.count, 1);
  assert_int_equal(f.items.items[0].after, l);
  assert_int_equal(f.from.items[0].value, x);
  rm_pool_destroy(w.pool);
}

static void arguments_stand_only_where_they_must(void **state) {
  (void)state;
  World w = make_world();
  int32_t x = rm_graph_argument(w.graph, 4), v = rm_graph_argument(w.graph, 4);
  int32_t a = add(&w, x, -1), b = add(&w, a, v), g = add(&w, b, -1);
  rm_graph_return(w.graph, add(&w, g, b));
  RmFences f = PLACE(&w, 0, 1, 2, 0, 1, 3);
  assert_int_equal(f.from.count, 1);
  assert_int_equal(f.from.items[0].value, x);
  rm_pool_destroy(w.pool);
}

static void an_op_twice_in_a_region_ends_it(void **state) {
  (void)state;
  World w = make_world();
  int32_t x = rm_graph_argument(w.graph, 4);
  int32_t a = add(&w, x, -1), b = add(&w, a, -1), c = add(&w, a, -1);
  int32_t d = add(&w, b, c);
  rm_graph_return(w.graph, add(&w, d, b));
  rm_graph_return(w.graph, add(&w, d, c));
  RmFences f = PLACE(&w, 0, 1, 2, 3, 0, 1, 0, 2, 4, 5);
  assert_int_equal(f.items.count, 2);
  assert_int_equal(f.items.items[0].end, 6);
  assert_int_equal(f.items.items[1].begin, 6);
  assert_int_equal(f.items.items[1].end, 8);
  rm_pool_destroy(w.pool);
}

static void equal_clones_read_results_of_their_own(void **state) {
  (void)state;
  World w = make_world();
  int32_t x = rm_graph_argument(w.graph, 4);
  int32_t a = add(&w, x, -1), b = add(&w, a, -1), c = add(&w, a, -1);
  int32_t d = add(&w, b, c);
  rm_graph_return(w.graph, add(&w, add(&w, d, b), c));
  w.shapes[2].kind = w.shapes[1].kind;
  RmFences f = PLACE(&w, 0, 1, 2, 3, 1, 2, 4, 5);
  assert_int_equal(f.items.count, 1);
  assert_int_equal(f.from.count, 2);
  assert_int_equal(f.from.items[1].value, a);
  assert_int_equal(f.from.items[1].begin, 5);
  assert_int_equal(f.from.items[1].end, 6);
  rm_pool_destroy(w.pool);
}

static void an_op_without_inputs_has_no_fence(void **state) {
  (void)state;
  World w = make_world();
  int32_t i = add(&w, -1, -1), a = add(&w, i, -1);
  rm_graph_return(w.graph, add(&w, a, i));
  RmFences f = PLACE(&w, 0, 1, 0, 2);
  assert_int_equal(f.items.count, 0);
  rm_pool_destroy(w.pool);
}

static void work_is_linear(void **state) {
  (void)state;
  World w = make_world();
  int32_t count = 100000;
  int32_t *steps = RM_NEW_ARRAY(w.pool, int32_t, 4 * count);
  int32_t value = rm_graph_argument(w.graph, 4), steps_made = 0;
  int32_t *values = RM_NEW_ARRAY(w.pool, int32_t, count);
  for (int32_t i = 0; i < count; ++i)
    values[i] = value = add(&w, value, -1), steps[steps_made++] = i;
  for (int32_t i = count - 1; i > 0; --i) {
    value = add(&w, value, values[i]);
    if (i + 1 < count)
      steps[steps_made++] = i;
    steps[steps_made++] = 2 * count - 1 - i;
  }
  rm_graph_return(w.graph, value);
  RmFences f = place(&w, steps, steps_made);
  assert_int_equal(f.items.count, count - 2);
  rm_pool_destroy(w.pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_region_waits_for_what_its_reader_needs),
      cmocka_unit_test(without_such_it_waits_for_what_is_read_later),
      cmocka_unit_test(arguments_stand_only_where_they_must),
      cmocka_unit_test(an_op_twice_in_a_region_ends_it),
      cmocka_unit_test(equal_clones_read_results_of_their_own),
      cmocka_unit_test(an_op_without_inputs_has_no_fence),
      cmocka_unit_test(work_is_linear),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
