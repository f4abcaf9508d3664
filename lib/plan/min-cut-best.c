/* lib/plan/min-cut-best.c - cuts at several steps: the best bound, and a plan.
 *
 * Each cut says which ops run again after its step. The plan goes through the
 * program once: at the step of a cut these ops' values are lost, and a lost
 * value comes back just before its earliest reader, after what it reads in
 * turn.
 *
 * Invariant: an op is only ever lost if it is recomputable, and each of its
 * inputs is lost, too, or still there. */

#include "plan/min-cut.h"
#include "plan/steps-bound.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 4000000 }; /* arcs looked at before the last try */

typedef RM_VEC(RmCutBound) Cuts;

typedef struct Builder {
  const RmGraph *g;
  RmPool *pool;
  uint8_t *lost; /* by op */
  RmIntVec steps, again;
} Builder;

static void collect_lost_inputs(Builder *b, int32_t op) {
  const RmGraph *g = b->g;
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i) {
    const RmValue *v = &g->values.items[rm_op_inputs(g, op)[i]];
    if (v->op < 0 || !v->counted || !b->lost[v->op])
      continue;
    b->lost[v->op] = 0;
    rm_vec_push(b->pool, &b->again, v->op);
  }
}

static int compare_ops(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void bring_inputs_back(Builder *b, int32_t op) {
  b->again.count = 0;
  collect_lost_inputs(b, op);
  for (size_t i = 0; i < b->again.count; ++i)
    collect_lost_inputs(b, b->again.items[i]);
  if (b->again.count > 1)
    qsort(b->again.items, b->again.count, sizeof(int32_t), compare_ops);
  for (size_t i = 0; i < b->again.count; ++i)
    rm_vec_push(b->pool, &b->steps, b->again.items[i]);
}

static void lose_recomputed(Builder *b, const RmCutBound *cut) {
  for (int32_t op = 0; op < cut->step; ++op)
    b->lost[op] |= cut->recomputed[op];
}

static RmSchedule build_plan(const RmGraph *g, const Cuts *cuts, RmPool *pool) {
  Builder b = {.g = g, .pool = pool};
  b.lost = RM_NEW_ARRAY(pool, uint8_t, g->ops.count);
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    bring_inputs_back(&b, op);
    rm_vec_push(pool, &b.steps, op);
    for (size_t i = 0; i < cuts->count; ++i)
      if (cuts->items[i].step == op)
        lose_recomputed(&b, &cuts->items[i]);
  }
  return (RmSchedule){b.steps.items, (int32_t)b.steps.count};
}

static bool was_cut(const Cuts *cuts, int32_t step) {
  for (size_t i = 0; i < cuts->count; ++i)
    if (cuts->items[i].step == step)
      return true;
  return false;
}

/* The op whose first run is the fullest above the budget; -1 if none is. */
static int32_t find_fullest(const RmGraph *g, const RmSchedule *plan,
                            int64_t budget, RmPool *pool) {
  int64_t *live = rm_schedule_live(g, plan, pool), most = budget;
  int32_t fullest = -1, next = 0; /* first runs follow program order */
  for (int32_t i = 0; i < plan->count; ++i) {
    if (plan->steps[i] != next)
      continue;
    if (live[i] > most) {
      most = live[i];
      fullest = next;
    }
    ++next;
  }
  return fullest;
}

static bool is_better(const RmMeasure *a, const RmMeasure *b, int64_t budget) {
  int64_t over_a = a->peak > budget ? a->peak - budget : 0;
  int64_t over_b = b->peak > budget ? b->peak - budget : 0;
  return over_a != over_b ? over_a < over_b : a->cost < b->cost;
}

static void note_bound(RmCutBest *best, const RmCutBound *cut) {
  if (!best->feasible)
    return;
  best->feasible = cut->feasible;
  if (cut->extra > best->extra || best->step < 0 || !cut->feasible) {
    best->extra = cut->extra;
    best->step = best->steps[0] = cut->step;
    best->count = 1;
  }
}

static void take_plan(RmCutBest *best, const RmSchedule *plan,
                      const RmMeasure *measure, RmPool *pool) {
  best->plan = rm_schedule_copy(plan, pool);
  best->measure = *measure;
}

static void try_steps(const RmGraph *g, int64_t budget, bool fixed_order,
                      int32_t tries, RmCutBest *best, RmPool *pool,
                      RmPool *scratch) {
  Cuts cuts = {0};
  RmSchedule plan = best->plan;
  int64_t effort = 0;
  while (best->feasible && (int32_t)cuts.count < tries && effort < PATIENCE) {
    int32_t step = find_fullest(g, &plan, budget, scratch);
    if (step < 0 || was_cut(&cuts, step))
      break;
    RmCutBound cut = rm_min_cut_bound(g, budget, step, scratch), any = cut;
    if (!fixed_order)
      any = rm_min_cut_bound_any_order(g, budget, step, scratch);
    note_bound(best, &any);
    effort += cut.effort + any.effort;
    if (!cut.feasible)
      break;
    rm_vec_push(scratch, &cuts, cut);
    plan = build_plan(g, &cuts, scratch);
    RmMeasure measure = rm_schedule_measure(g, &plan, scratch);
    if (is_better(&measure, &best->measure, budget))
      take_plan(best, &plan, &measure, pool);
  }
}

RmCutBest rm_min_cut_best(const RmGraph *g, int64_t budget, bool fixed_order,
                          int32_t tries, RmPool *pool) {
  RmCutBest best = {
      .feasible = true, .step = -1, .plan = rm_schedule_identity(g, pool)};
  RmPool *scratch = rm_pool_branch(pool);
  best.measure = rm_schedule_measure(g, &best.plan, scratch);
  try_steps(g, budget, fixed_order, tries, &best, pool, scratch);
  rm_pool_destroy(scratch);
  return best;
}

/*===-- Several steps together --------------------------------------------===*/

static void add_step(RmStepsBound *bound, int32_t step) {
  int32_t at = bound->count++;
  for (; at > 0 && bound->steps[at - 1] > step; --at) {
    bound->steps[at] = bound->steps[at - 1];
    bound->price[at] = bound->price[at - 1];
  }
  bound->steps[at] = step;
  bound->price[at] = 0;
}

/* Steps that turned out not to matter make place for others. */
static void drop_free_steps(RmStepsBound *bound) {
  int32_t count = 0;
  for (int32_t i = 0; i < bound->count; ++i)
    if (bound->price[i] > 0) {
      bound->steps[count] = bound->steps[i];
      bound->price[count++] = bound->price[i];
    }
  bound->count = count;
}

static RmSchedule plan_steps(const RmGraph *g, const RmStepsBound *bound,
                             Cuts *cuts, RmPool *pool) {
  cuts->count = 0;
  for (int32_t i = 0; i < bound->count; ++i) {
    RmCutBound cut = {true, 0, bound->steps[i], bound->recomputed[i], 0};
    rm_vec_push(pool, cuts, cut);
  }
  return build_plan(g, cuts, pool);
}

static void note_steps(RmCutBest *best, const RmStepsBound *bound) {
  if (bound->extra <= best->extra)
    return;
  best->extra = bound->extra;
  best->count = bound->count;
  memcpy(best->steps, bound->steps, sizeof best->steps);
}

static void improve(const RmGraph *g, int64_t budget, bool fixed_order,
                    RmCutWork work, RmCutBest *best, RmPool *pool,
                    RmPool *scratch) {
  Cuts cuts = {0};
  RmStepsBound bound = {0};
  int32_t step = best->step;
  for (int32_t i = 0; i < work.tries && step >= 0 && work.effort > 0 &&
                      bound.count < RM_CUT_STEPS;
       ++i) {
    add_step(&bound, step);
    work.effort -= rm_steps_bound(g, budget, fixed_order, work.iterations,
                                  work.effort, &bound, scratch);
    note_steps(best, &bound);
    RmSchedule plan = plan_steps(g, &bound, &cuts, scratch);
    RmMeasure measure = rm_schedule_measure(g, &plan, scratch);
    if (is_better(&measure, &best->measure, budget))
      take_plan(best, &plan, &measure, pool);
    step = find_fullest(g, &plan, budget, scratch);
    if (step >= 0 && was_cut(&cuts, step))
      break;
    drop_free_steps(&bound);
  }
}

void rm_min_cut_together(const RmGraph *g, int64_t budget, bool fixed_order,
                         RmCutWork work, RmCutBest *best, RmPool *pool) {
  int64_t size = (int64_t)(g->ops.count + g->inputs.count);
  if (size * work.iterations > work.effort)
    return; /* prices would not come far */
  RmPool *scratch = rm_pool_branch(pool);
  improve(g, budget, fixed_order, work, best, pool, scratch);
  rm_pool_destroy(scratch);
}
