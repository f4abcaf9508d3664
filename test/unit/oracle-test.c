/* test/unit/oracle-test.c - plans of small graphs against all schedules.
 *
 * Random graphs of up to 9 ops, and views besides; with effects, several
 * results, workspace, values that are returned. In fixed order and in any
 * `exact` must cost what the exhaustive search finds; `search` and
 * `auto` must fit where any plan does, and be near it on average; no bound may
 * pass it.
 *
 * Without arguments some graphs; `oracle-test FIRST COUNT` checks others and
 * prints what it found (bench/oracle does 10,000), `oracle-test SEED` prints
 * one. */
#include "exhaustive.h"

#include "plan/plan.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { EXACT, SEARCH, AUTO, NUM_STRATEGIES };

static const char *const names[] = {"exact", "search", "auto"};

typedef struct Tally {

  int exists, none;  /* whether any plan fits, of those */
  int unfit, dearer; /* where one does; where it costs more than the best */
  int wrong;         /* not as promised */
  double ratio;      /* summed over those that fit */
} Tally;

typedef struct Oracle {
  Tally tally[2][NUM_STRATEGIES]; /* by whether ops may be moved */
  bool shows;                     /* each fault */
} Oracle;

static void tell(const Oracle *o, uint32_t seed, int64_t budget, bool reorder,
                 int strategy, const char *what, int64_t ours, int64_t best) {
  if (o->shows)
    printf("seed %u budget %" PRId64 " reorder %d %s: %s %" PRId64
           ", best %" PRId64 "\n",
           seed, budget, reorder, names[strategy], what, ours, best);
}

/* Null, or what is wrong with the plan besides its cost. */
static const char *judge(const RmGraph *g, const RmPlanOptions *options,
                         const RmPlanResult *r, int64_t best, RmPool *pool) {
  const char *wrong =
      rm_schedule_verify(g, &r->schedule, !options->reorder, pool);
  if (wrong)
    return wrong;
  RmMeasure m = rm_schedule_measure(g, &r->schedule, pool);
  if (m.peak != r->measure.peak || m.cost != r->measure.cost)
    return "measures other than it says";
  if (r->fits != (m.peak <= options->budget))
    return "fits other than it says";
  if (best >= 0 && r->fits && m.cost < best)
    return "costs less than the best";
  if (best >= 0 && r->budget_bound > options->budget)
    return "bound on the budget above what fits";
  if (best >= 0 && r->fits && r->cost_bound > best)
    return "bound on the cost above the best";
  return NULL;
}

static void compare(Oracle *o, const RmGraph *g, uint32_t seed, int64_t budget,
                    bool reorder, int64_t best) {
  for (int i = 0; i < NUM_STRATEGIES; ++i) {
    RmPool *pool = rm_pool_create_or_abort();
    Tally *t = &o->tally[reorder][i];
    RmPlanOptions options = {.budget = budget,
                             .overhead = -1,
                             .strategy = rm_strategy_find(names[i]),
                             .effort = 1,
                             .reorder = reorder};
    RmPlanResult r = rm_plan(g, &options, pool);
    const char *wrong = judge(g, &options, &r, best, pool);
    if (wrong) {
      ++t->wrong;
      tell(o, seed, budget, reorder, i, wrong, r.measure.cost, best);
    }
    t->exists += best >= 0;
    t->none += best < 0;
    if (best >= 0 && !r.fits) {
      ++t->unfit;
      tell(o, seed, budget, reorder, i, "no plan; peak", r.measure.peak, best);
    } else if (best >= 0) {
      t->dearer += r.measure.cost > best;
      t->ratio += best ? (double)r.measure.cost / (double)best : 1;
      if (r.measure.cost > best)
        tell(o, seed, budget, reorder, i, "costs", r.measure.cost, best);
    }
    rm_pool_destroy(pool);
  }
}

/* What one op needs, whatever the plan. */
static int64_t largest_step(const RmGraph *g) {
  int64_t most = 0;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    const RmOp *info = &g->ops.items[op];
    int64_t bytes = info->workspace;
    uint64_t seen = 0;
    for (int32_t i = 0; i < info->num_results + info->num_inputs; ++i) {
      int32_t v = i < info->num_results
                      ? info->first_result + i
                      : rm_op_inputs(g, op)[i - info->num_results];
      const RmValue *storage = &g->values.items[v = rm_graph_storage(g, v)];
      if (storage->op >= 0 && storage->counted && !(seen >> v & 1))
        bytes += storage->bytes;
      seen |= 1ull << v;
    }
    most = bytes > most ? bytes : most;
  }
  return most;
}

/* A graph in which something is alive at the peak that its op does not need,
 * and a budget below the peak. */
static RmGraph *draw_problem(uint32_t seed, int32_t most_ops, int64_t *budget,
                             RmPool *pool) {
  uint32_t state = seed * 747796405u + 1;
  for (;;) {
    int32_t ops = 3 + (int32_t)draw(&state, (uint32_t)most_ops - 2);
    RmGraph *g = draw_whole(&state, ops, pool);
    RmSchedule all = rm_schedule_identity(g, pool);
    int64_t peak = rm_schedule_measure(g, &all, pool).peak;
    int64_t least = largest_step(g);
    if (least >= peak)
      continue;
    *budget = peak - 1 - (int64_t)draw(&state, (uint32_t)(peak - least));
    return g;
  }
}

static void check_graph(Oracle *o, uint32_t seed, int32_t most_ops) {
  RmPool *pool = rm_pool_create_or_abort();
  int64_t budget;
  RmGraph *g = draw_problem(seed, most_ops, &budget, pool);
  for (int reorder = 0; reorder < 2; ++reorder)
    compare(o, g, seed, budget, reorder, least_cost(g, budget, !reorder));
  rm_pool_destroy(pool);
}

static double mean_ratio(const Tally *t) {
  int fit = t->exists - t->unfit;
  return fit ? t->ratio / fit : 1;
}

static void print_tallies(const Oracle *o) {
  printf("%-8s %-8s %8s %8s %8s %8s %8s %10s\n", "order", "strategy", "exists",
         "none", "unfit", "dearer", "wrong", "cost/best");
  for (int reorder = 0; reorder < 2; ++reorder)
    for (int i = 0; i < NUM_STRATEGIES; ++i) {
      const Tally *t = &o->tally[reorder][i];
      printf("%-8s %-8s %8d %8d %8d %8d %8d %10.6f\n",
             reorder ? "any" : "fixed", names[i], t->exists, t->none, t->unfit,
             t->dearer, t->wrong, mean_ratio(t));
    }
}

static bool is_well(const Oracle *o) {
  for (int reorder = 0; reorder < 2; ++reorder)
    for (int i = 0; i < NUM_STRATEGIES; ++i) {
      const Tally *t = &o->tally[reorder][i];
      if (t->wrong || t->unfit || mean_ratio(t) > 1.01 ||
          (i == EXACT && t->dearer))
        return false;
    }
  return true;
}

static void small_graphs_are_planned_as_well_as_can_be(void **unused) {
  (void)unused;
  Oracle o = {.shows = true};
  for (uint32_t seed = 0; seed < 60; ++seed)
    check_graph(&o, seed, 7);
  print_tallies(&o);
  assert_true(o.tally[0][EXACT].exists > 40);
  assert_true(is_well(&o));
}

static int check_many(uint32_t first, uint32_t count) {
  Oracle o = {.shows = true};
  for (uint32_t i = 0; i < count; ++i) {
    check_graph(&o, first + i, 9);
    if (i % 500 == 499)
      fprintf(stderr, "%u of %u graphs\n", i + 1, count);
  }
  print_tallies(&o);
  return is_well(&o) ? 0 : 1;
}

static void print_problem(uint32_t seed) {
  RmPool *pool = rm_pool_create_or_abort();
  int64_t budget;
  RmGraph *g = draw_problem(seed, 9, &budget, pool);
  printf("budget %" PRId64 "\n", budget);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    const RmOp *info = &g->ops.items[op];
    printf("op %d cost %" PRId64 " workspace %" PRId64 "%s%s:", op, info->cost,
           info->workspace, info->recomputable ? "" : " once",
           info->movable ? "" : " unmoved");
    for (int32_t i = 0; i < info->num_inputs; ++i)
      printf(" %d", rm_op_inputs(g, op)[i]);
    printf(" ->");
    for (int32_t v = info->first_result;
         v < info->first_result + info->num_results; ++v)
      printf(" %d(%s %" PRId64 "%s)", v,
             g->values.items[v].alias < 0 ? "bytes" : "view",
             g->values.items[v].bytes,
             g->values.items[v].counted || g->values.items[v].alias >= 0
                 ? ""
                 : " returned");
    printf("\n");
  }
  for (int reorder = 0; reorder < 2; ++reorder)
    printf("reorder %d: least cost %" PRId64 "\n", reorder,
           least_cost(g, budget, !reorder));
  rm_pool_destroy(pool);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs_are_planned_as_well_as_can_be),
  };
  if (argc == 3)
    return check_many((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]));
  if (argc == 2)
    return print_problem((uint32_t)atoi(argv[1])), 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
