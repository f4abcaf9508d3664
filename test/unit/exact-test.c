/* test/unit/exact-test.c - the exact strategy against all schedules. */
#include "exhaustive.h"

#include "plan/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static RmExact solve(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmExact exact = rm_exact_plan(&problem, pool);
  if (exact.schedule.steps) {
    assert_null(rm_schedule_verify(g, &exact.schedule, true, pool));
    assert_true(rm_schedule_measure(g, &exact.schedule, pool).peak <= budget);
  }
  return exact;
}

static int check_budgets(const RmGraph *g, RmPool *pool) {
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t peak = rm_schedule_measure(g, &all, pool).peak;
  int planned = 0;
  for (int64_t budget = peak; budget >= 0 && budget >= peak - 6; --budget) {
    int64_t least = least_cost(g, budget, true);
    RmExact exact = solve(g, budget, pool);
    assert_true(exact.proved);
    assert_int_equal(exact.schedule.steps != NULL, least >= 0);
    if (least < 0)
      break;
    assert_int_equal(rm_schedule_measure(g, &exact.schedule, pool).cost, least);
    assert_int_equal(exact.cost_bound, least);
    planned += budget < peak;
  }
  return planned;
}

/* With several results, workspace, effects, values that are returned. */
static void equals_the_best_of_all(void **unused) {
  (void)unused;
  uint32_t state = 5;
  int planned = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    int32_t ops = 3 + (int32_t)draw(&state, trial % 16 ? 4 : 5);
    planned += check_budgets(draw_graph(&state, ops, trial % 4, pool), pool);
    rm_pool_destroy(pool);
  }
  print_message("%d budgets below the peak\n", planned);
  assert_true(planned > 1000);
}

static void stops_early_and_says_so(void **unused) {
  (void)unused;
  uint32_t state = 9;
  RmPool *pool = rm_pool_create_or_abort();
  RmGraph *g = draw_graph(&state, 60, false, pool);
  RmPlanOptions options = {.budget = 1, .effort = 0};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule schedule = rm_strategy_exact(&problem, pool);
  assert_null(rm_schedule_verify(g, &schedule, true, pool));
  rm_pool_destroy(pool);
}

/* Small graphs with known best plans: unlike stages, residual sums, a U-net,
 * cheap ops between dear ones. Costs are constant between the budgets listed.
 */
typedef struct Known {
  int64_t ops[15][2];     /* cost, bytes; ends with a cost of 0 */
  int32_t edges[32][2];   /* from, to; ends with two equal */
  int64_t budgets[10][2]; /* and the least cost, 0: none; ends with 0 */
} Known;

static const Known unlike_chain = {{{3, 8},
                                    {5, 4},
                                    {2, 6},
                                    {4, 2},
                                    {6, 3},
                                    {1, 1},
                                    {12, 2},
                                    {8, 6},
                                    {4, 4},
                                    {10, 8},
                                    {6, 1}},
                                   {{0, 1},
                                    {1, 2},
                                    {2, 3},
                                    {3, 4},
                                    {4, 5},
                                    {5, 6},
                                    {3, 6},
                                    {6, 7},
                                    {2, 7},
                                    {7, 8},
                                    {1, 8},
                                    {8, 9},
                                    {0, 9},
                                    {9, 10}},
                                   {{19, 0}, {20, 64}, {25, 64}, {26, 61}}};

static const Known residual = {
    {{4, 4},
     {4, 4},
     {4, 4},
     {1, 4},
     {4, 4},
     {4, 4},
     {1, 4},
     {1, 1},
     {8, 4},
     {8, 4},
     {1, 4},
     {8, 4},
     {8, 4},
     {1, 4}},
    {{0, 1},  {1, 2},   {2, 3},  {0, 3},   {3, 4},  {4, 5},   {5, 6},
     {3, 6},  {6, 7},   {7, 8},  {4, 8},   {8, 9},  {3, 9},   {9, 10},
     {7, 10}, {10, 11}, {1, 11}, {11, 12}, {0, 12}, {12, 13}, {10, 13}},
    {{15, 0}, {16, 65}, {19, 65}, {20, 61}, {23, 61}, {24, 57}}};

static const Known unet = {
    {{2, 8},
     {4, 4},
     {6, 2},
     {8, 1},
     {6, 2},
     {4, 4},
     {2, 8},
     {1, 1},
     {4, 4},
     {8, 2},
     {12, 1},
     {16, 2},
     {12, 4},
     {8, 8},
     {4, 1}},
    {{0, 1},  {1, 2},   {2, 3},  {3, 4},   {2, 4},  {4, 5},  {1, 5},   {5, 6},
     {0, 6},  {6, 7},   {7, 8},  {5, 8},   {0, 8},  {8, 9},  {4, 9},   {1, 9},
     {9, 10}, {3, 10},  {2, 10}, {10, 11}, {2, 11}, {9, 11}, {11, 12}, {1, 12},
     {8, 12}, {12, 13}, {0, 13}, {7, 13},  {13, 14}},
    {{20, 0},
     {21, 117},
     {22, 115},
     {23, 111},
     {24, 107},
     {25, 103},
     {26, 101},
     {28, 101},
     {29, 99},
     {30, 97}}};

static const Known cheap_and_dear = {{{1, 4},
                                      {10, 4},
                                      {1, 4},
                                      {10, 4},
                                      {1, 4},
                                      {2, 1},
                                      {20, 4},
                                      {2, 4},
                                      {20, 4},
                                      {2, 4}},
                                     {{0, 1},
                                      {1, 2},
                                      {2, 3},
                                      {3, 4},
                                      {4, 5},
                                      {5, 6},
                                      {3, 6},
                                      {6, 7},
                                      {2, 7},
                                      {7, 8},
                                      {1, 8},
                                      {8, 9},
                                      {0, 9}},
                                     {{11, 0},
                                      {12, 93},
                                      {13, 81},
                                      {15, 81},
                                      {16, 71},
                                      {17, 70},
                                      {20, 70},
                                      {21, 69}}};

static RmGraph *build(const Known *k, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int32_t op = 0; op < 15 && k->ops[op][0]; ++op) {
    int32_t inputs[4], count = 0;
    for (int e = 0; k->edges[e][0] != k->edges[e][1]; ++e)
      if (k->edges[e][1] == op)
        inputs[count++] = k->edges[e][0];
    rm_graph_op(g, k->ops[op][0], 0, inputs, count, true);
    rm_graph_result(g, k->ops[op][1]);
  }
  return g;
}

static void known_graphs_at_every_budget(void **unused) {
  (void)unused;
  const Known *all[] = {&unlike_chain, &residual, &unet, &cheap_and_dear};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    int64_t want = 0;
    for (int64_t budget = 1, at = 0; budget < 33; ++budget) {
      RmPool *pool = rm_pool_create_or_abort();
      if (at < 10 && all[i]->budgets[at][0] == budget)
        want = all[i]->budgets[at++][1];
      RmExact exact = solve(build(all[i], pool), budget, pool);
      assert_true(exact.proved);
      assert_int_equal(exact.cost_bound, want ? want : INT64_MAX);
      assert_int_equal(exact.schedule.steps != NULL, want != 0);
      rm_pool_destroy(pool);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_best_of_all),
      cmocka_unit_test(stops_early_and_says_so),
      cmocka_unit_test(known_graphs_at_every_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
