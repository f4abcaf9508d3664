/* test/unit/chain-test.c - plans of chains against exact ones. Those known from
 * the literature are in known-chains-test.c. */
#include "exhaustive.h"

#include "plan/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static RmMeasure plan(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmSchedule schedule = rm_strategy_chain(&problem, pool);
  assert_null(rm_schedule_verify(g, &schedule, true, pool));
  return rm_schedule_measure(g, &schedule, pool);
}

/* Unit costs and sizes; L forward and L backward ops; B_i reads B_{i+1} and, by
 * `form`, F_i, F_{i-1} or both. */
static RmGraph *mirrored(int length, char form, uint32_t *state, RmPool *pool) {
  RmGraph *g = rm_graph_create(pool);
  for (int i = 0; i < length; ++i) {
    int32_t before = i - 1;
    rm_graph_op(g, state ? 1 + draw(state, 9) : 1, 0, &before, i > 0, true);
    rm_graph_result(g, state ? 1 + draw(state, 9) : 1);
  }
  for (int i = length - 1; i >= 0; --i) {
    int32_t inputs[3], count = 0;
    if (i < length - 1)
      inputs[count++] = (int32_t)g->values.count - 1;
    if (form != 'b' || i == length - 1)
      inputs[count++] = i;
    if (form != 'a' && i)
      inputs[count++] = i - 1;
    rm_graph_op(g, state ? 1 + draw(state, 9) : 1, 0, inputs, count, true);
    rm_graph_result(g, state ? 1 + draw(state, 9) : 1);
  }
  return g;
}

static int64_t exact_cost(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmPlanOptions options = {.budget = budget, .effort = 1};
  RmProblem problem = {.graph = g, .options = &options};
  RmExact exact = rm_exact_plan(&problem, pool);
  assert_true(exact.proved);
  return exact.schedule.steps ? exact.cost_bound : -1;
}

static void compare(const RmGraph *g, int64_t budget, int *planned, int *worse,
                    int *unfit, double *ratio, RmPool *pool) {
  int64_t best = exact_cost(g, budget, pool);
  RmMeasure m = plan(g, budget, pool);
  if (best < 0) {
    assert_true(m.peak > budget);
    return;
  }
  ++*planned;
  if (m.peak > budget) {
    ++*unfit;
    return;
  }
  assert_true(m.cost >= best);
  *worse += m.cost > best;
  *ratio += (double)m.cost / (double)best;
}

static void heterogeneous_chains(void **unused) {
  (void)unused;
  int planned = 0, worse = 0, unfit = 0;
  double ratio = 0;
  uint32_t state = 17;
  for (int trial = 0; trial < 150; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = mirrored(4 + (int)draw(&state, 8), (char)('a' + trial % 3),
                          &state, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    for (int part = 9; part >= 4; --part)
      compare(g, peak * part / 10, &planned, &worse, &unfit, &ratio, pool);
    rm_pool_destroy(pool);
  }
  print_message("%d planned, %d worse, %d unfit, cost %.4f of the best\n",
                planned, worse, unfit, ratio / (planned - unfit));
  assert_int_equal(unfit, 0);
  assert_true(planned > 500 && 30 * worse < planned);
  assert_true(ratio < 1.003 * planned);
}

/* Effects, no border, several results, few ops or none. */
static void any_graph_is_planned(void **unused) {
  (void)unused;
  uint32_t state = 3;
  for (int trial = 0; trial < 2000; ++trial) {
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = draw_graph(&state, trial % 20, trial % 4, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    assert_true(plan(g, draw(&state, (uint32_t)peak + 1), pool).peak <= peak);
    rm_pool_destroy(pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heterogeneous_chains),
      cmocka_unit_test(any_graph_is_planned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
