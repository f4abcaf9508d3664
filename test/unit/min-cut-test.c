/* test/unit/min-cut-test.c - no bound of a cut is above the truth, and the
 * plans of cuts are valid: against an exhaustive search of all schedules. */

#include "plan/cut-branch.h"
#include "plan/max-flow.h"
#include "plan/min-cut.h"

#include "exhaustive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/*===-- Flows -------------------------------------------------------------===*/

typedef struct Net {
  int32_t nodes, arcs;
  int32_t from[16], to[16];
  int64_t supply[6], drain[6], capacity[16];
} Net;

static Net draw_net(uint32_t *state) {
  Net n = {.nodes = 1 + (int32_t)draw(state, 6)};
  n.arcs = n.nodes < 2 ? 0 : (int32_t)draw(state, 16);
  for (int32_t i = 0; i < n.nodes; ++i) {
    n.supply[i] = chance(state, 50) ? draw(state, 20) : 0;
    n.drain[i] = chance(state, 50) ? draw(state, 20) : 0;
  }
  for (int32_t i = 0; i < n.arcs; ++i) {
    n.from[i] = (int32_t)draw(state, (uint32_t)n.nodes);
    n.to[i] =
        (n.from[i] + 1 + (int32_t)draw(state, (uint32_t)n.nodes - 1)) % n.nodes;
    n.capacity[i] = chance(state, 20) ? RM_FLOW_MAX : draw(state, 20);
  }
  return n;
}

static int64_t capacity_of_cut(const Net *n, uint32_t side) {
  int64_t sum = 0;
  for (int32_t v = 0; v < n->nodes; ++v)
    sum += side >> v & 1 ? n->drain[v] : n->supply[v];
  for (int32_t i = 0; i < n->arcs && sum < RM_FLOW_MAX; ++i)
    if (side >> n->from[i] & 1 && !(side >> n->to[i] & 1))
      sum += n->capacity[i];
  return sum;
}

static void finds_the_least_cut(void **unused) {
  (void)unused;
  uint32_t state = 1;
  for (int32_t trial = 0; trial < 5000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    Net n = draw_net(&state);
    int64_t least = INT64_MAX;
    for (uint32_t side = 0; side < 1u << n.nodes; ++side)
      if (capacity_of_cut(&n, side) < least)
        least = capacity_of_cut(&n, side);
    RmFlow *flow = rm_flow_create(n.nodes, n.arcs, n.from, n.to, pool);
    rm_flow_reset(flow, n.supply, n.drain, n.capacity);
    assert_int_equal(rm_flow_run(flow), least);
    uint32_t side = 0;
    for (int32_t v = 0; v < n.nodes; ++v)
      side |= (uint32_t)rm_flow_cut_off(flow, v) << v;
    assert_int_equal(capacity_of_cut(&n, side), least);
    rm_pool_destroy(pool);
  }
}

/*===-- Bounds ------------------------------------------------------------===*/

/* At every step and budget: no bound above the truth, none without a plan. */
static int32_t check_bounds(const RmGraph *g, int64_t peak, bool fixed_order,
                            int32_t *asked, RmPool *pool) {
  int32_t met = 0;
  for (int64_t budget = 0; budget < peak; ++budget) {
    int64_t truth = least_cost(g, budget, fixed_order), best = -1;
    for (int32_t step = 0; step < (int32_t)g->ops.count; ++step) {
      RmCutBound cut = fixed_order
                           ? rm_min_cut_bound(g, budget, step, pool)
                           : rm_min_cut_bound_any_order(g, budget, step, pool);
      if (!cut.feasible)
        assert_int_equal(truth, -1);
      if (truth >= 0 && cut.extra + total_cost(g) > truth)
        fail_msg("bound %ld above %ld", (long)cut.extra,
                 (long)(truth - total_cost(g)));
      best = cut.extra > best ? cut.extra : best;
    }
    met += truth >= 0 && best + total_cost(g) == truth;
    *asked += truth >= 0;
  }
  return met;
}

static int64_t natural_peak(const RmGraph *g, RmPool *pool) {
  RmSchedule natural = rm_schedule_identity(g, pool);
  return rm_schedule_measure(g, &natural, pool).peak;
}

static void check_many(uint32_t seed, int32_t trials, int32_t ops, bool rich,
                       bool fixed_order, int32_t percent) {
  int32_t met = 0, asked = 0;
  for (int32_t trial = 0; trial < trials; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&seed, 3 + trial % (ops - 2), rich, pool);
    met += check_bounds(g, natural_peak(g, pool), fixed_order, &asked, pool);
    rm_pool_destroy(pool);
  }
  if (100 * met < percent * asked)
    fail_msg("%d of %d bounds meet the truth", met, asked);
}

static void never_above_the_truth(void **unused) {
  (void)unused;
  check_many(1, 1000, 8, false, true, 75);
  check_many(2, 1000, 8, true, true, 75);
}

static void never_above_the_truth_in_any_order(void **unused) {
  (void)unused;
  check_many(3, 300, 6, false, false, 75);
  check_many(4, 300, 6, true, false, 75);
}

/* Whole decisions: at least the cut's bound, at most the truth, and more often
 * equal to it. */
static void whole_decisions_are_never_above_the_truth(void **unused) {
  (void)unused;
  uint32_t seed = 6;
  int32_t asked = 0, met = 0;
  for (int32_t trial = 0; trial < 600; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&seed, 3 + trial % 6, trial % 2, pool);
    for (int64_t budget = natural_peak(g, pool) - 1; budget >= 0; --budget) {
      int64_t truth = least_cost(g, budget, true), most = 0;
      for (int32_t step = 0; step < (int32_t)g->ops.count; ++step) {
        RmCutBound cut = rm_min_cut_bound(g, budget, step, pool);
        int64_t whole = rm_cut_branch(g, budget, step, true, 1000000, pool);
        assert_true(truth < 0 || whole >= 0);
        assert_true(truth < 0 || whole + total_cost(g) <= truth);
        assert_true(whole < 0 || whole >= cut.extra);
        most = whole > most ? whole : most;
      }
      asked += truth >= 0;
      met += truth >= 0 && most + total_cost(g) == truth;
    }
    rm_pool_destroy(pool);
  }
  if (100 * met < 88 * asked)
    fail_msg("%d of %d bounds meet the truth", met, asked);
}

/*===-- Plans -------------------------------------------------------------===*/

static void plans_are_valid(void **unused) {
  (void)unused;
  uint32_t state = 5;
  for (int32_t trial = 0; trial < 1000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&state, 4 + trial % 20, true, pool);
    int64_t budget = natural_peak(g, pool) - 1 - draw(&state, 6);
    RmCutBest best = rm_min_cut_best(g, budget, true, 4, pool);
    const char *wrong = rm_schedule_verify(g, &best.plan, true, pool);
    if (wrong)
      fail_msg("%s", wrong);
    RmMeasure again = rm_schedule_measure(g, &best.plan, pool);
    assert_int_equal(again.peak, best.measure.peak);
    if (best.feasible && again.peak <= budget)
      assert_true(best.extra + total_cost(g) <= again.cost);
    rm_pool_destroy(pool);
  }
}

/* Of two values held over the fullest step the cheap one is dropped. */
static void drops_the_cheap_value(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t x = rm_graph_argument(g, 4);
  rm_graph_op(g, 9, 0, &x, 1, true);
  int32_t dear = rm_graph_result(g, 4);
  rm_graph_op(g, 2, 0, &x, 1, true);
  int32_t cheap = rm_graph_result(g, 4);
  rm_graph_op(g, 1, 0, &cheap, 1, true);
  int32_t wide = rm_graph_result(g, 8);
  rm_graph_op(g, 1, 0, &wide, 1, true);
  int32_t all[] = {rm_graph_result(g, 1), dear, cheap};
  rm_graph_op(g, 1, 0, all, 3, true);
  RmCutBest best = rm_min_cut_best(g, 16, true, 4, pool);
  assert_int_equal(best.step, 3);
  assert_int_equal(best.extra, 2);
  assert_int_equal(best.measure.cost, total_cost(g) + 2);
  assert_int_equal(best.measure.peak, 16);
  best = rm_min_cut_best(g, 13, true, 4, pool); /* `cheap` is read at step 2 */
  assert_int_equal(best.step, 2);
  assert_int_equal(best.extra, 9);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_least_cut),
      cmocka_unit_test(never_above_the_truth),
      cmocka_unit_test(never_above_the_truth_in_any_order),
      cmocka_unit_test(whole_decisions_are_never_above_the_truth),
      cmocka_unit_test(plans_are_valid),
      cmocka_unit_test(drops_the_cheap_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
