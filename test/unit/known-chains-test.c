/* test/unit/known-chains-test.c - chains whose best plans are known.
 *
 * Uniform chains: the table of revolve's extra steps (Griewank and Walther
 * 2000), to 1000 steps, by the strategy chain. Unit training graphs: the least
 * cost at every budget, in Checkmate's form of 2L + 1 nodes and in three forms
 * of 2L nodes, by chain, exact and auto. */
#include "plan/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void add_unit_op(RmGraph *g, const int32_t *inputs, int32_t count) {
  rm_graph_op(g, 1, 0, inputs, count, true);
  rm_graph_result(g, 1);
}

/* Node i of the second half reads the node before it and its mirror. */
static RmGraph *checkmate_chain(int length, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int i = 0; i <= 2 * length; ++i) {
    int32_t inputs[2] = {i - 1, 2 * length - i};
    add_unit_op(g, inputs, (i > 0) + (i > length));
  }
  return g;
}

/* B_i reads B_{i+1} and, by `form`, a: F_i, b: F_{i-1}, c: both; the first of
 * them reads F_L. */
static RmGraph *mirrored_chain(int length, char form, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t i = 0; i < length; ++i)
    add_unit_op(g, (int32_t[]){i - 1}, i > 0);
  for (int32_t i = length - 1; i >= 0; --i) {
    int32_t inputs[3] = {(int32_t)g->values.count - 1}, count = 1;
    if (form != 'b' && i < length - 1)
      inputs[count++] = i;
    if (form != 'a' && i > 0)
      inputs[count++] = i - 1;
    add_unit_op(g, inputs, count);
  }
  return g;
}

static RmMeasure measure_valid(const RmGraph *g, const RmSchedule *schedule,
                               RmPool *pool) {
  assert_null(rm_schedule_verify(g, schedule, true, pool));
  return rm_schedule_measure(g, schedule, pool);
}

static int64_t chain_cost(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule schedule = rm_strategy_chain(&problem, pool);
  RmMeasure m = measure_valid(g, &schedule, pool);
  return m.peak <= budget ? m.cost : 0;
}

static int64_t exact_cost(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmExact exact = rm_exact_plan(&problem, pool);
  assert_true(exact.proved);
  if (!exact.schedule.steps)
    return 0;
  RmMeasure m = measure_valid(g, &exact.schedule, pool);
  assert_true(m.peak <= budget && m.cost == exact.cost_bound);
  return m.cost;
}

static int64_t auto_cost(const RmGraph *g, int64_t budget, bool reorder,
                         RmPool *pool) {
  RmPlanOptions options = {.budget = budget,
                           .overhead = -1,
                           .strategy = RM_STRATEGY_AUTO,
                           .effort = 1,
                           .reorder = reorder};
  RmPlanResult r = rm_plan(g, &options, pool);
  return r.fits ? r.measure.cost : 0;
}

/*===-- Revolve -----------------------------------------------------------===*/

static const int slots[] = {1, 2, 3, 4, 5, 8};

/* Extra forward steps by slots, after the length. */
static const int64_t revolve[][7] = {
    {2, 1, 1, 1, 1, 1, 1},
    {3, 3, 2, 2, 2, 2, 2},
    {5, 10, 6, 5, 4, 4, 4},
    {8, 28, 14, 11, 10, 9, 7},
    {10, 45, 20, 15, 14, 13, 10},
    {16, 120, 45, 33, 27, 25, 22},
    {20, 190, 65, 45, 39, 33, 30},
    {32, 496, 140, 93, 75, 68, 54},
    {50, 1225, 285, 180, 144, 122, 95},
    {64, 2016, 420, 258, 200, 172, 137},
    {100, 4950, 845, 490, 374, 316, 245},
    {128, 8128, 1240, 694, 516, 430, 329},
    {250, 31125, 3479, 1785, 1288, 1040, 780},
    {1000, 499500, 28820, 12155, 7998, 6284, 4285},
};

/* A slot is a byte here; the gradient and the result of a backward take two
 * more. A taped step of revolve's is a backward here, with its cost, and the
 * value that it starts from is made by a run, not given. */
static void revolve_takes_so_many_extra_steps(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof revolve / sizeof *revolve; ++i)
    for (size_t k = 0; k < sizeof slots / sizeof *slots; ++k) {
      RmPool *pool = rm_pool_create_or_abort();
      int64_t length = revolve[i][0];
      RmGraph *g = checkmate_chain((int)length - 1, pool);
      assert_int_equal(chain_cost(g, slots[k] + 2, pool),
                       length + revolve[i][k + 1]);
      rm_pool_destroy(pool);
    }
}

static int64_t binomial(int64_t n, int64_t k) {
  int64_t b = 1;
  for (int64_t i = 1; i <= k; ++i)
    b = b * (n - k + i) / i;
  return b;
}

/* The closed form, for all lengths to 60 and slots to 12. */
static void revolve_in_closed_form(void **unused) {
  (void)unused;
  for (int length = 2; length <= 60; ++length)
    for (int s = 1; s <= 12; ++s) {
      RmPool *pool = rm_pool_create_or_abort();
      int64_t r = 0;
      while (binomial(s + r, s) < length)
        ++r;
      assert_int_equal(chain_cost(checkmate_chain(length - 1, pool), s + 2, //
                                  pool),
                       length + r * length - binomial(s + r, s + 1));
      rm_pool_destroy(pool);
    }
}

/*===-- Unit training graphs ----------------------------------------------===*/

typedef struct Costs {
  char form; /* k: Checkmate's */
  int length;
  int64_t from_three[11]; /* least cost by budget; 0: none, or at the end */
} Costs;

static const Costs known[] = {
    {'k', 2, {6, 5}},
    {'k', 3, {10, 8, 7}},
    {'k', 4, {15, 11, 10, 9}},
    {'k', 5, {21, 14, 13, 12, 11}},
    {'k', 6, {28, 18, 16, 15, 14, 13}},
    {'k', 7, {36, 22, 19, 18, 17, 16, 15}},
    {'k', 8, {45, 26, 22, 21, 20, 19, 18, 17}},
    {'k', 9, {55, 30, 25, 24, 23, 22, 21, 20, 19}},
    {'a', 4, {11, 9, 8}},
    {'a', 6, {22, 15, 14, 13, 12}},
    {'a', 8, {37, 23, 20, 19, 18, 17, 16}},
    {'a', 9, {46, 27, 23, 22, 21, 20, 19, 18}},
    {'b', 4, {11, 9, 8}},
    {'b', 6, {22, 15, 14, 13, 12}},
    {'b', 8, {37, 23, 20, 19, 18, 17, 16}},
    {'b', 9, {46, 27, 23, 22, 21, 20, 19, 18}},
    {'c', 4, {0, 9, 8}},
    {'c', 6, {0, 18, 14, 13, 12}},
    {'c', 8, {0, 31, 21, 19, 18, 17, 16}},
    {'c', 9, {0, 39, 25, 22, 21, 20, 19, 18}},
};

static RmGraph *build(const Costs *k, RmPool *pool) {
  return k->form == 'k' ? checkmate_chain(k->length, pool)
                        : mirrored_chain(k->length, k->form, pool);
}

/* Every budget from 2, which none fits, to one that needs no recomputation. */
static void unit_graphs_at_every_budget(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    int64_t want = 0;
    for (int budget = 2; budget < 13; ++budget) {
      RmPool *pool = rm_pool_create_or_abort();
      RmGraph *g = build(&known[i], pool);
      if (budget > 2 && (budget == 3 || known[i].from_three[budget - 3]))
        want = known[i].from_three[budget - 3];
      assert_int_equal(chain_cost(g, budget, pool), want);
      assert_int_equal(exact_cost(g, budget, pool), want);
      rm_pool_destroy(pool);
    }
    assert_int_equal(want, 2 * known[i].length + (known[i].form == 'k'));
  }
}

/* Free and fixed order give the same values. */
static void auto_finds_them_in_any_order(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    for (int at = 0; !at || known[i].from_three[at]; ++at)
      for (int reorder = 0; reorder <= (known[i].length < 7); ++reorder) {
        RmPool *pool = rm_pool_create_or_abort();
        RmGraph *g = build(&known[i], pool);
        assert_int_equal(auto_cost(g, 3 + at, reorder, pool),
                         known[i].from_three[at]);
        rm_pool_destroy(pool);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(revolve_takes_so_many_extra_steps),
      cmocka_unit_test(revolve_in_closed_form),
      cmocka_unit_test(unit_graphs_at_every_budget),
      cmocka_unit_test(auto_finds_them_in_any_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
