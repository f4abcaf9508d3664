/* lib/plan/steps-bound.c - what must be paid at several steps together.
 *
 * Each step has a price on a byte. For any prices the least cut of all steps
 * together, less what the rooms are worth, is a bound; it is concave in the
 * prices, and what a cut holds beyond each room is a direction of ascent. We
 * follow these directions, each mixed with the last one, for a given number of
 * iterations; how far is set by a guess of what can still be gained, which
 * shrinks when it fails (Polyak; Camerini, Fratta and Maffioli 1975).
 *
 * The search for prices is in floating point, without fused operations so that
 * it goes the same way on every machine; each bound is computed in integers. */

#include "plan/steps-bound.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef struct Ascent {
  RmCutNetwork *n;
  RmStepsBound *bound;
  int64_t scale;
  int64_t highest[RM_CUT_STEPS]; /* prices */
  /* Prices of a unit of bytes where a unit of cost is `scale`. */
  double price[RM_CUT_STEPS], best_price[RM_CUT_STEPS];
  double way[RM_CUT_STEPS]; /* in bytes, so that steps are alike */
  int64_t value, best;      /* scaled */
  double hope;              /* what may still be gained, scaled */
  int32_t failures;
  RmCutLine line;
  int64_t least_cost; /* of a cut that fits each room */
} Ascent;

static void choose_scale(Ascent *a) {
  const RmCutNetwork *n = a->n;
  int64_t drains = 0;
  for (int32_t i = 0; i < n->count; ++i)
    drains += n->drains[i];
  a->scale = RM_CUT_LIMIT / (n->total_cost + 1);
  if (drains > 0)
    a->scale = a->scale / 16 + 1;
  for (int32_t i = 0; i < n->count; ++i) {
    int64_t most = n->room[i] > drains ? n->room[i] : drains;
    a->highest[i] = RM_CUT_LIMIT / (most + 1);
  }
}

static void note_recomputed(Ascent *a) {
  for (int32_t i = 0; i < a->n->count; ++i)
    memset(a->bound->recomputed[i], 0, a->n->graph->ops.count);
  for (int32_t i = 0; i < (int32_t)a->n->nodes.count; ++i) {
    const RmCutNode *node = &a->n->nodes.items[i];
    if (node->op >= 0 && a->n->graph->ops.items[node->op].recomputable &&
        rm_cut_runs_again(a->n, i))
      a->bound->recomputed[node->at][node->op] = 1;
  }
}

static bool fits_rooms(const Ascent *a) {
  for (int32_t i = 0; i < a->n->count; ++i)
    if (a->line.bytes[i] > a->n->room[i])
      return false;
  return true;
}

/* The bound at the prices as they are, rounded to integers. */
static void cut(Ascent *a) {
  int64_t prices[RM_CUT_STEPS];
  for (int32_t i = 0; i < a->n->count; ++i)
    prices[i] = a->price[i] < (double)a->highest[i] ? (int64_t)a->price[i]
                                                    : a->highest[i];
  rm_cut_least(a->n, prices, a->scale);
  a->line = rm_cut_measure(a->n);
  a->value = a->scale * a->line.cost;
  for (int32_t i = 0; i < a->n->count; ++i)
    a->value += prices[i] * (a->line.bytes[i] - a->n->room[i]);
  if (a->line.cost < a->least_cost && fits_rooms(a)) {
    a->least_cost = a->line.cost;
    note_recomputed(a);
  }
}

static void note_best(Ascent *a) {
  a->best = a->value;
  memcpy(a->best_price, a->price, sizeof a->price);
}

/* The direction at the last cut; its length squared. */
static double mix_way(Ascent *a) {
  double slope[RM_CUT_STEPS], length = 0, along = 0, old = 0;
  for (int32_t i = 0; i < a->n->count; ++i) {
    double unit = (double)a->n->byte_unit[i];
    slope[i] = unit * (double)(a->line.bytes[i] - a->n->room[i]);
    along += slope[i] * a->way[i];
    old += a->way[i] * a->way[i];
  }
  double keep = along < 0 ? -1.5 * along / old : 0;
  for (int32_t i = 0; i < a->n->count; ++i) {
    a->way[i] = slope[i] + keep * a->way[i];
    if (a->price[i] <= 0 && a->way[i] < 0)
      a->way[i] = 0;
    length += a->way[i] * a->way[i];
  }
  return length;
}

static void go_on(Ascent *a) {
  double length = mix_way(a);
  if (length <= 0)
    return;
  double far = ((double)(a->best - a->value) + a->hope) / length;
  for (int32_t i = 0; i < a->n->count; ++i) {
    a->price[i] += far * a->way[i] * (double)a->n->byte_unit[i];
    if (a->price[i] < 0)
      a->price[i] = 0;
  }
}

static void return_to_best(Ascent *a) {
  memcpy(a->price, a->best_price, sizeof a->price);
  memset(a->way, 0, sizeof a->way);
  a->failures = 0;
  cut(a);
}

static void judge(Ascent *a) {
  if (a->value > a->best) {
    if ((double)(a->value - a->best) > 0.3 * a->hope)
      a->hope *= 1.5;
    note_best(a);
    a->failures = 0;
  } else if (++a->failures == 4) {
    a->hope *= 0.5;
    return_to_best(a);
  }
}

/* In cost per byte, as callers see prices, or the other way. */
static double convert(const Ascent *a, int32_t at) {
  return (double)a->n->cost_unit /
         ((double)a->scale * (double)a->n->byte_unit[at]);
}

static void start(Ascent *a) {
  for (int32_t i = 0; i < a->n->count; ++i)
    a->price[i] = a->bound->price[i] / convert(a, i);
  a->least_cost = INT64_MAX;
  cut(a);
  if (a->least_cost == INT64_MAX)
    note_recomputed(a);
  note_best(a);
  double most = (double)a->scale * (double)a->n->total_cost;
  a->hope = a->value > 0 ? 0.05 * (double)a->value : 0.1 * most;
}

static int64_t ascend(Ascent *a, int32_t iterations, int64_t effort) {
  RmStepsBound *bound = a->bound;
  choose_scale(a);
  start(a);
  for (int32_t i = 0; i < iterations && a->n->effort < effort; ++i) {
    go_on(a);
    cut(a);
    judge(a);
  }
  for (int32_t i = 0; i < bound->count; ++i)
    bound->price[i] = a->best_price[i] * convert(a, i);
  if (a->best > 0)
    bound->extra =
        (a->best / a->scale + (a->best % a->scale != 0)) * a->n->cost_unit;
  return a->n->effort;
}

int64_t rm_steps_bound(const RmGraph *graph, int64_t budget, bool fixed_order,
                       int32_t iterations, int64_t effort, RmStepsBound *bound,
                       RmPool *pool) {
  bool has_room = true;
  bound->extra = 0;
  for (int32_t i = 0; i < bound->count; ++i)
    bound->recomputed[i] = RM_NEW_ARRAY(pool, uint8_t, graph->ops.count);
  RmPool *scratch = rm_pool_branch(pool);
  Ascent a = {.bound = bound};
  a.n = rm_cut_network(graph, budget, bound->steps, bound->count, fixed_order,
                       scratch);
  for (int32_t i = 0; i < bound->count; ++i)
    has_room &= a.n->room[i] >= 0;
  int64_t work = has_room ? ascend(&a, iterations, effort) : 0;
  rm_pool_destroy(scratch);
  return work;
}
