/* test/unit/strategies-test.c - the strategies of others: their known values,
 * and that each gives valid plans of any graph. */
#include "exhaustive.h"

#include "plan/knapsack.h"
#include "plan/strategy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/*===-- Any graph ---------------------------------------------------------===*/

static RmMeasure plan(const char *name, const RmGraph *g, int64_t budget,
                      RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule schedule =
      rm_strategies[rm_strategy_find(name)].run(&problem, pool);
  assert_null(rm_schedule_verify(g, &schedule, true, pool));
  return rm_schedule_measure(g, &schedule, pool);
}

/* At least so many of those graphs fit of which any plan does. */
static void plan_any(const char *name, int percent) {
  uint32_t state = 11;
  int fits = 0, exists = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    int32_t ops = trial % 20;
    RmGraph *g = draw_graph(&state, ops, trial % 4, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t budget = peak - draw(&state, (uint32_t)peak / 2 + 1);
    RmMeasure m = plan(name, g, budget, pool);
    plan(name, g, peak, pool);
    plan(name, g, 0, pool);
    if (ops < 7 && budget < peak && least_cost(g, budget, true) >= 0) {
      ++exists;
      fits += m.peak <= budget;
    }
    rm_pool_destroy(pool);
  }
  print_message("%s: %d of %d fit\n", name, fits, exists);
  assert_true(exists > 20 && 100 * fits >= percent * exists);
}

static void each_plans_any_graph(void **unused) {
  (void)unused;
  plan_any("chen", 40);
  plan_any("knapsack", 50);
  plan_any("dtr", 90);
}

/* From program order to the least peak that any plan has, nearly always. */
static void the_search_goes_down(void **unused) {
  (void)unused;
  uint32_t state = 5;
  int least = 0, lower = 0, graphs = 0;
  RmPlanOptions options = {0};
  for (int trial = 0; trial < 400; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&state, 5 + trial % 4, trial % 4, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    RmProblem problem = {
        .graph = g, .options = &options, .seeds = &all, .num_seeds = 1};
    RmSchedule found = rm_search_descend(&problem, 0, pool);
    assert_null(rm_schedule_verify(g, &found, true, pool));
    int64_t low = rm_schedule_measure(g, &found, pool).peak;
    assert_true(low <= peak);
    if (least_cost(g, peak - 1, true) >= 0) {
      ++graphs;
      lower += low < peak;
      least += least_cost(g, low - 1, true) < 0;
    }
    rm_pool_destroy(pool);
  }
  print_message("of %d: %d lower, %d the least\n", graphs, lower, least);
  assert_true(graphs > 50 && 100 * least >= 90 * graphs);
}

/* Down to a budget, and no further than it is told. */
static void the_search_stops_where_it_is_told(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = rm_graph_create(pool);
  int32_t values[9] = {rm_graph_argument(g, 1)};
  for (int i = 1; i < 9; ++i) { /* a chain, read again from its end */
    rm_graph_op(g, 1, 0, &values[i - 1], 1, true);
    values[i] = rm_graph_result(g, 1);
  }
  for (int i = 7; i > 0; --i)
    rm_graph_op(g, 1, 0, &values[i], 1, true);
  RmSchedule all = rm_schedule_identity(g, pool);
  assert_int_equal(rm_schedule_measure(g, &all, pool).peak, 8);
  for (int64_t budget = 2; budget < 8; ++budget) {
    RmPlanOptions options = {.budget = budget, .effort = 1};
    RmProblem problem = {
        .graph = g, .options = &options, .seeds = &all, .num_seeds = 1};
    RmSchedule found = rm_search_descend(&problem, 0, pool);
    assert_int_equal(rm_schedule_measure(g, &found, pool).peak, budget);
    options.budget = 0;
    found = rm_search_descend(&problem, budget, pool);
    assert_int_equal(rm_schedule_measure(g, &found, pool).peak, budget);
  }
  rm_pool_destroy(pool);
}

/* By rm_plan, on graphs with views, effects, returned values; ops may be moved,
 * runs may be few, values forced to be made again. */
static void plan_whole(const RmGraph *g, int strategy, uint32_t *state,
                       RmPool *pool) {
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t peak = rm_schedule_measure(g, &all, pool).peak;
  uint8_t *forced = RM_NEW_ARRAY(pool, uint8_t, g->ops.count);
  for (size_t op = 0; op < g->ops.count; ++op)
    forced[op] = g->ops.items[op].recomputable && chance(state, 10);
  RmPlanOptions options = {
      .budget = (int64_t)draw(state, (uint32_t)peak + 2),
      .overhead = -1,
      .strategy = strategy,
      .n = 1 + (int32_t)draw(state, 5),
      .reorder = chance(state, 50),
      .gives_up = chance(state, 80),
      .max_recompute = chance(state, 20) ? 1 + (int32_t)draw(state, 3) : 0,
      .forced = chance(state, 20) ? forced : NULL};
  RmPlanResult r = rm_plan(g, &options, pool);
  assert_null(rm_schedule_verify(g, &r.schedule, !options.reorder, pool));
  RmMeasure m = rm_schedule_measure(g, &r.schedule, pool);
  assert_true(m.peak == r.measure.peak && m.cost == r.measure.cost);
  assert_true(r.fits == (m.peak <= options.budget));
  assert_true(r.budget_bound <= m.peak);
  assert_true(!r.fits || r.cost_bound <= m.cost);
}

static void each_plans_whole_graphs(void **unused) {
  (void)unused;
  uint32_t state = 13;
  for (int trial = 0; trial < 120; ++trial)
    for (int strategy = RM_STRATEGY_AUTO; strategy < rm_num_strategies;
         ++strategy) {
      RmPool *pool = rm_pool_create_or_abort();
      RmGraph *g = draw_whole(&state, 1 + (int32_t)draw(&state, 16), pool);
      plan_whole(g, strategy, &state, pool);
      rm_pool_destroy(pool);
    }
}

/* Layers of ops that read the layer before and now and then any. */
static RmGraph *draw_layers(uint32_t *state, int32_t layers, int32_t width,
                            RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t op = 0; op < layers * width; ++op) {
    int32_t inputs[6], count = 0, layer = op / width;
    for (int i = 0; i < 5 && layer; ++i)
      inputs[count++] = (layer - 1) * width + (int32_t)draw(state, width);
    if (layer > 1 && chance(state, 40))
      inputs[count++] = (int32_t)draw(state, (layer - 1) * width);
    rm_graph_op(g, 1 + draw(state, 20), 0, inputs, count, true);
    rm_graph_result(g, 1 + draw(state, 50));
  }
  return g;
}

/*===-- A long chain ------------------------------------------------------===*/

static RmGraph *unit_chain(int length, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int i = 0; i <= 2 * length; ++i) {
    int32_t inputs[2] = {i - 1, 2 * length - i};
    rm_graph_op(g, 1, 0, inputs, (i > 0) + (i > length), true);
    rm_graph_result(g, 1);
  }
  return g;
}

/* Chen: about twice the root of the length for one more forward. */
static void chen_takes_the_root_of_the_bytes(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmMeasure m = plan("chen", unit_chain(400, pool), 0, pool);
  assert_true(m.peak <= 2 * 20 + 8);
  assert_true(m.extra <= 400);
  rm_pool_destroy(pool);
}

/* DTR's theorem: a chain of n ops in some 2 root n bytes with O(n) runs. */
static void dtr_runs_chains_in_the_root(void **unused) {
  (void)unused;
  RmPool *pool = rm_pool_create_or_abort();
  RmMeasure m = plan("dtr", unit_chain(400, pool), 48, pool);
  assert_true(m.peak <= 48);
  assert_true(m.extra <= 4 * 801);
  rm_pool_destroy(pool);
}

/* Where it thrashes it ends, soon and with little memory: skips over many ops
 * of a graph far over its budget once made it run without end. */
static void dtr_ends_where_it_thrashes(void **unused) {
  (void)unused;
  uint32_t state = 1;
  for (int trial = 0; trial < 8; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_layers(&state, 40, 8, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    RmMeasure m = plan("dtr", g, peak * (9 - trial) / 10, pool);
    assert_true(m.extra <= 41 * 320);
    assert_true(rm_pool_bytes(pool) < 16 << 20);
    rm_pool_destroy(pool);
  }
}

/*===-- Memory ------------------------------------------------------------===*/

/* Only the plan is left in the caller's pool, and little is taken meanwhile. */
static void strategies_work_in_pools_of_their_own(void **unused) {
  (void)unused;
  uint32_t state = 1;
  RmPool *graphs = rm_pool_create_or_abort();
  RmGraph *g = draw_layers(&state, 25, 40, graphs);
  RmSchedule all = rm_schedule_identity(g, graphs);
  int64_t peak = rm_schedule_measure(g, &all, graphs).peak;
  static const char *const names[] = {"recompute-all", "every-n", "sqrt-n",
                                      "chain",         "chen",    "knapsack",
                                      "dtr",           "keep-all"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmPlanOptions options = {.budget = peak / 2, .effort = 1, .n = 7};
    RmProblem problem = {.graph = g, .options = &options};
    RmSchedule found =
        rm_strategies[rm_strategy_find(names[i])].run(&problem, pool);
    print_message("%s: %d steps, %zu KiB, %zu KiB left\n", names[i],
                  found.count, rm_pool_bytes(pool) >> 10, pool->bytes >> 10);
    assert_true(rm_pool_bytes(pool) < 20 << 20);
    assert_true(pool->bytes <= 16384 + 16 * (size_t)found.count);
    rm_pool_destroy(pool);
  }
  rm_pool_destroy(graphs);
}

/*===-- Knapsack ----------------------------------------------------------===*/

typedef struct Vector {
  int count;
  int64_t weights[5], worths[5], capacity, best;
  unsigned taken; /* bits */
} Vector;

/* From PyTorch's tests, in whole numbers; and the one where its low-memory
 * solver takes two of three equal items where one fits. */
static const Vector vectors[] = {
    {5, {2, 3, 2, 4, 1}, {1, 2, 1, 3, 2}, 5, 5, 0x18},
    {3, {1, 1, 1}, {1, 2, 3}, 3, 6, 7},
    {3, {10, 20, 30}, {1, 2, 3}, 5, 0, 0},
    {3, {1, 2, 3}, {10, 20, 30}, 1, 10, 1},
    {3, {1, 1, 1}, {2, 2, 2}, 2, 4, 3},
    {3, {0, 2, 3}, {5, 2, 3}, 5, 10, 7},
    {3, {1, 2, 3}, {0, 2, 3}, 3, 3, 4},
    {3, {100, 200, 300}, {1000, 2000, 3000}, 500, 5000, 6},
    {3, {5, 15, 20}, {1, 2, 3}, 20, 3, 3},
    {0, {0}, {0}, 7, 0, 0},
    {3, {1, 2, 3}, {1, 2, 3}, 0, 0, 0},
    {3, {0, 0, 0}, {1, 2, 3}, 0, 6, 7},
    {3, {1, 2, 3}, {0, 0, 0}, 6, 0, 0},
    {3, {1, 1, 1}, {1, 1, 1}, 1, 1, 1},
};

static RmKnapsack fill(const Vector *v, RmPool *pool) {
  RmItem items[5];
  for (int i = 0; i < v->count; ++i)
    items[i] = (RmItem){v->weights[i], v->worths[i]};
  return rm_knapsack(items, v->count, v->capacity, pool);
}

static void knapsacks_of_pytorch(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    RmKnapsack k = fill(&vectors[i], pool);
    unsigned taken = 0;
    for (int item = 0; item < vectors[i].count; ++item)
      taken |= (unsigned)k.taken[item] << item;
    assert_int_equal(k.worth, vectors[i].best);
    assert_true(k.exact && k.weight <= vectors[i].capacity);
    assert_int_equal(taken, vectors[i].taken);
    rm_pool_destroy(pool);
  }
}

/* Worth by weight: every sum of some of the weights is met. */
static void subset_sums_are_met(void **unused) {
  (void)unused;
  static const int64_t few[] = {18, 17, 16, 15, 14, 13, 11, 7, 6, 5};
  static const int64_t more[] = {42, 30, 19, 8, 3};
  for (size_t i = 0; i < sizeof few / sizeof *few; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    Vector v = {4, {11, 3, 4, 2}, {11, 3, 4, 2}, few[i], 0, 0};
    assert_int_equal(fill(&v, pool).weight, few[i]);
    rm_pool_destroy(pool);
  }
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    Vector v = {5, {3, 5, 11, 17, 14}, {3, 5, 11, 17, 14}, more[i], 0, 0};
    assert_int_equal(fill(&v, pool).weight, more[i]);
    rm_pool_destroy(pool);
  }
}

static int64_t best_of_all(const RmItem *items, int count, int64_t capacity) {
  int64_t best = 0;
  for (unsigned set = 0; set < 1u << count; ++set) {
    int64_t weight = 0, worth = 0;
    for (int i = 0; i < count; ++i) {
      weight += set >> i & 1 ? items[i].weight : 0;
      worth += set >> i & 1 ? items[i].worth : 0;
    }
    if (weight <= capacity && worth > best)
      best = worth;
  }
  return best;
}

static void knapsacks_are_the_best_of_all(void **unused) {
  (void)unused;
  uint32_t state = 7;
  for (int trial = 0; trial < 3000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmItem items[10];
    int count = (int)draw(&state, 11);
    for (int i = 0; i < count; ++i)
      items[i] = (RmItem){draw(&state, 30), draw(&state, 30)};
    int64_t capacity = draw(&state, 120), weight = 0, worth = 0;
    RmKnapsack k = rm_knapsack(items, count, capacity, pool);
    for (int i = 0; i < count; ++i) {
      weight += k.taken[i] ? items[i].weight : 0;
      worth += k.taken[i] ? items[i].worth : 0;
    }
    assert_true(k.weight == weight && k.worth == worth && weight <= capacity);
    assert_int_equal(worth, best_of_all(items, count, capacity));
    rm_pool_destroy(pool);
  }
}

/* Too many to look at all: still within the capacity, and close. */
static void many_items_fit(void **unused) {
  (void)unused;
  uint32_t state = 3;
  RmPool *pool = rm_pool_create_or_abort();
  RmItem *items = RM_NEW_ARRAY(pool, RmItem, 20000);
  int64_t all = 0, worth = 0;
  for (int i = 0; i < 20000; ++i) {
    items[i] = (RmItem){1 + draw(&state, 1000), 1 + draw(&state, 1000)};
    all += items[i].weight;
    worth += items[i].worth;
  }
  RmKnapsack k = rm_knapsack(items, 20000, all / 2, pool);
  assert_true(k.weight <= all / 2 && k.weight > all / 2 - 50);
  assert_true(10 * k.worth > 8 * worth);
  rm_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_plans_any_graph),
      cmocka_unit_test(the_search_goes_down),
      cmocka_unit_test(the_search_stops_where_it_is_told),
      cmocka_unit_test(each_plans_whole_graphs),
      cmocka_unit_test(chen_takes_the_root_of_the_bytes),
      cmocka_unit_test(dtr_runs_chains_in_the_root),
      cmocka_unit_test(dtr_ends_where_it_thrashes),
      cmocka_unit_test(strategies_work_in_pools_of_their_own),
      cmocka_unit_test(knapsacks_of_pytorch),
      cmocka_unit_test(subset_sums_are_met),
      cmocka_unit_test(knapsacks_are_the_best_of_all),
      cmocka_unit_test(many_items_fit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
