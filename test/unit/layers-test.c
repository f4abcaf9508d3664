/* test/unit/layers-test.c - equal layers, and plans that are unrolled. */
#include "plan/layers.h"
#include "plan/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FORWARD = 12, BACKWARD = 14, UPDATE = 9 };

/* A stretch of ops, each of a cost of its own, that reads the one before, and
 * the first also `of`; the last value. */
static int32_t add_ops(RmGraph *g, int32_t count, int32_t input, int32_t of,
                       int64_t bytes) {
  for (int32_t i = 0; i < count; ++i) {
    int32_t inputs[] = {input, of};
    rm_graph_op(g, 3 + i * i % 7, 0, inputs, of >= 0 ? 2 : 1, true);
    input = rm_graph_result(g, bytes * (1 + i % 4));
    of = -1;
  }
  return input;
}

/* Forward layers, an op that reads the last and one in the middle, backward
 * layers that read what theirs made, updates that no one reads. */
static RmGraph *training(int32_t layers, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  RmIntVec made = {0};
  int32_t x = rm_graph_argument(g, 64);
  rm_graph_op(g, 50, 0, &x, 1, true);
  x = rm_graph_result(g, 7);
  for (int32_t i = 0; i < layers; ++i)
    rm_vec_push(pool, &made, x = add_ops(g, FORWARD, x, -1, 10));
  int32_t read[] = {x, made.items[layers / 2]};
  rm_graph_op(g, 90, 0, read, 2, true);
  int32_t d = rm_graph_result(g, 5);
  RmIntVec gradients = {0};
  for (int32_t i = layers - 1; i >= 0; --i) {
    d = add_ops(g, BACKWARD, d, made.items[i], 3);
    rm_vec_push(pool, &gradients, d);
  }
  for (int32_t i = 0; i < layers; ++i)
    add_ops(g, UPDATE, gradients.items[layers - 1 - i], -1, 2);
  return g;
}

static void layers_are_found(void **unused) {
  (void)unused;
  enum { LAYERS = 20 };
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = training(LAYERS, pool);
  RmLayers found = rm_layers_find(g, pool);
  static const int32_t lengths[] = {FORWARD, BACKWARD, UPDATE};
  assert_int_equal(found.stacks.count, 3);
  assert_int_equal(found.num_towers, 1);
  for (int i = 0; i < 3; ++i) {
    const RmStack *s = &found.stacks.items[i];
    assert_int_equal(s->length, lengths[i]);
    assert_in_range(s->copies, LAYERS - 1, LAYERS);
    assert_int_equal(s->sign, i == 1 ? -1 : 1);
  }
  /* The op of the backward that reads the forward is in step with it. */
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op)
    for (int32_t k = 0; k < g->ops.items[op].num_inputs; ++k) {
      int32_t maker = g->values.items[rm_op_inputs(g, op)[k]].op;
      if (maker < 0 || found.stack_of[op] != 1 || found.stack_of[maker] != 0)
        continue;
      const RmStack *a = &found.stacks.items[0], *b = &found.stacks.items[1];
      assert_int_equal(rm_layer_of(a, maker), rm_layer_of(b, op));
      int32_t next = rm_layer_of(a, maker) + 1;
      if (rm_layer_twin(a, maker, next) >= 0)
        assert_int_equal(rm_layer_twin(a, maker, next), maker + FORWARD);
      if (rm_layer_twin(b, op, next) >= 0)
        assert_int_equal(rm_layer_twin(b, op, next), op - BACKWARD);
    }
  rm_pool_destroy(pool);
}

/* A graph without repetition has no stacks. */
static void unequal_ops_are_no_layers(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t x = rm_graph_argument(g, 1);
  for (int32_t i = 0; i < 300; ++i) {
    rm_graph_op(g, i, 0, &x, 1, true);
    x = rm_graph_result(g, i);
  }
  RmLayers found = rm_layers_find(g, pool);
  assert_int_equal(found.stacks.count, 0);
  assert_int_equal(found.stack_of[17], -1);
  rm_pool_destroy(pool);
}

/* The plan of a quarter of the layers, unrolled, costs little more than the
 * bound. */
static void plans_are_unrolled(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = training(100, pool);
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t budget = rm_schedule_measure(g, &all, pool).peak / 2;
  RmPlanOptions options = {.budget = budget, .overhead = -1, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule plan = rm_strategy_layers(&problem, pool);
  assert_null(rm_schedule_verify(g, &plan, true, pool));
  RmMeasure m = rm_schedule_measure(g, &plan, pool);
  assert_true(m.peak <= budget);
  RmPlanResult bound = {0};
  rm_plan_bound(g, &options, &bound, pool);
  int64_t cost = rm_graph_cost(g), least = bound.cost_bound - cost;
  print_message("extra %ld, bound %ld\n", (long)(m.cost - cost), (long)least);
  assert_true(least > 0 && 100 * (m.cost - cost) <= 101 * least);
  rm_pool_destroy(pool);
}

/* With little work for each of many ops the search alone stays far above the
 * budget; from what was unrolled it comes close. */
static void unrolling_is_a_better_start(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = training(500, pool);
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t budget = rm_schedule_measure(g, &all, pool).peak / 2;
  RmPlanOptions options = {.budget = budget, .overhead = -1};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule layers = rm_strategy_layers(&problem, pool);
  RmSchedule alone = rm_strategy_search(&problem, pool);
  int64_t over = rm_schedule_measure(g, &layers, pool).peak - budget;
  int64_t over_alone = rm_schedule_measure(g, &alone, pool).peak - budget;
  print_message("%ld bytes over, %ld alone\n", (long)over, (long)over_alone);
  assert_true(over_alone > 0 && 4 * over < over_alone);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_are_found),
      cmocka_unit_test(unequal_ops_are_no_layers),
      cmocka_unit_test(plans_are_unrolled),
      cmocka_unit_test(unrolling_is_a_better_start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
