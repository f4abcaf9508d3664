/* lib/plan/cost-bound.c - a cost that no plan within the budget beats.
 *
 * The best of the bounds that are valid for the orders asked for. */

#include "plan/cost-bound.h"
#include "plan/budget-bound.h"
#include "plan/cut-branch.h"
#include "plan/epochs.h"
#include "plan/min-cut.h"

#include <string.h>

enum { MOST_PRINTED = 8 };

char *rm_proof_print(RmProof proof, const int32_t *ops, int32_t count,
                     RmPool *pool) {
  static const char *const names[] = {"each op once", "min cut", "min cuts",
                                      "choices",      "search",  "mip"};
  char *text = rm_pool_strdup(pool, names[proof]);
  if (count > MOST_PRINTED)
    return rm_pool_printf(pool, "%s at %d ops from %d to %d", text, count,
                          ops[0], ops[count - 1]);
  for (int32_t i = 0; i < count; ++i)
    text = rm_pool_printf(pool, "%s%s%d", text,
                          i            ? ", "
                          : count == 1 ? " at op "
                                       : " at ops ",
                          ops[i]);
  return text;
}

static void set_steps(RmCostBound *bound, const int32_t *steps, int32_t count,
                      RmPool *pool) {
  bound->steps = RM_NEW_ARRAY(pool, int32_t, count);
  bound->count = count;
  if (count)
    memcpy(bound->steps, steps, (size_t)count * sizeof *steps);
}

/*===-- Cuts --------------------------------------------------------------===*/

/* By effort. */
static const int64_t branching[] = {1000000, 4000000, 200000000, 2000000000};
static const RmCutWork amounts[] = {
    {0, 0, 0}, {4, 20, 6000000}, {8, 40, 200000000}, {24, 100, 2000000000}};

typedef struct Cut {
  RmCutBest best;
  RmProof proof;
} Cut;

/* Whole decisions where one step decides; false if no plan fits. */
static bool decide_wholly(const RmGraph *g, int64_t budget, int effort,
                          bool fixed_order, Cut *cut, RmPool *pool) {
  int32_t step = cut->best.step;
  int64_t extra = step < 0 ? 0
                           : rm_cut_branch(g, budget, step, fixed_order,
                                           branching[effort], pool);
  if (extra > cut->best.extra) {
    cut->best.extra = extra;
    cut->proof = RM_PROOF_CHOICES;
  }
  return extra >= 0;
}

static Cut find_cut(const RmGraph *g, int64_t budget, bool fixed_order,
                    int effort, RmPool *pool) {
  Cut cut = {rm_min_cut_best(g, budget, fixed_order, 4, pool), RM_PROOF_CUT};
  RmCutBest *best = &cut.best;
  if (best->feasible)
    best->feasible = decide_wholly(g, budget, effort, fixed_order, &cut, pool);
  int64_t extra = best->extra;
  if (best->feasible)
    rm_min_cut_together(g, budget, fixed_order, amounts[effort], best, pool);
  if (best->extra > extra)
    cut.proof = best->count > 1 ? RM_PROOF_CUTS : RM_PROOF_CUT;
  if (best->extra == 0)
    cut.proof = RM_PROOF_OPS;
  return cut;
}

RmCostBound rm_cost_bound(const RmGraph *g, int64_t budget, bool fixed_order,
                          int effort, RmPool *pool) {
  RmCostBound bound = {true, rm_graph_cost(g), RM_PROOF_OPS, NULL, 0};
  RmBudgetBound least = rm_budget_bound(g, fixed_order, effort, pool);
  if (least.bytes > budget) {
    bound.feasible = false;
    set_steps(&bound, &least.step, 1, pool);
    return bound;
  }
  RmPool *scratch = rm_pool_branch(pool);
  Cut cut = find_cut(g, budget, fixed_order, effort, scratch);
  bound.feasible = cut.best.feasible;
  bound.cost += cut.best.extra;
  bound.proof = cut.proof;
  if (cut.best.extra)
    set_steps(&bound, cut.best.steps, cut.best.count, pool);
  rm_pool_destroy(scratch);
  return bound;
}

/*===-- By a solver -------------------------------------------------------===*/

enum {
  MOST_SIZE = 1500000,
  MOST_NODES = 2000,       /* of the solver's tree, in one question */
  NODES_TIMES = 100000000, /* size: fewer nodes where each takes longer */
  MOST_QUESTIONS = 2,
  MANY_OPS = 400
};

typedef enum Answer { YES, NO, TOO_LARGE } Answer;

typedef struct Proving {
  const RmGraph *g;
  int64_t budget, once;
  RmCostBound *bound;
  RmPool *pool;
} Proving;

/* Whether no plan costs less than `cost`, as far as these steps can say. */
static Answer ask(Proving *p, int64_t cost, RmIntVec steps, int32_t questions) {
  RmEpochs limits = {.enough = cost - p->once,
                     .known = p->bound->cost - p->once,
                     .size = MOST_SIZE,
                     .nodes = MOST_NODES,
                     .questions = questions,
                     .nodes_times_size = NODES_TIMES,
                     .short_rows = p->g->ops.count > MANY_OPS};
  int64_t extra = rm_epochs_bound(p->g, p->budget, steps.items,
                                  (int32_t)steps.count, &limits, p->pool);
  if (p->once + extra > p->bound->cost) {
    p->bound->cost = p->once + extra;
    p->bound->proof = RM_PROOF_MIP;
    set_steps(p->bound, steps.items, (int32_t)steps.count, p->pool);
  }
  return extra < 0 ? TOO_LARGE : p->once + extra >= cost ? YES : NO;
}

static RmIntVec take_each(const RmIntVec *steps, size_t apart, RmPool *pool) {
  RmIntVec some = {0};
  for (size_t i = 0; i < steps->count; i += apart)
    rm_vec_push(pool, &some, steps->items[i]);
  return some;
}

/* At all steps, or as many as the solver can take in. */
static void ask_at_many(Proving *p, int64_t cost, const RmIntVec *steps,
                        RmPool *pool) {
  Answer answer = TOO_LARGE;
  for (size_t apart = 1; answer == TOO_LARGE && apart < steps->count;
       apart *= 2)
    answer = ask(p, cost, take_each(steps, apart, pool), MOST_QUESTIONS);
}

/* The ops that are over the budget if nothing runs again. */
static RmIntVec find_over(const RmGraph *g, int64_t budget, RmPool *pool) {
  RmIntVec over = {0};
  RmSchedule all = rm_schedule_identity(g, pool);
  int64_t *live = rm_schedule_live(g, &all, pool);
  for (int32_t op = 0; op < all.count; ++op)
    if (live[op] > budget)
      rm_vec_push(pool, &over, op);
  return over;
}

void rm_cost_prove(const RmGraph *g, int64_t budget, int64_t cost,
                   RmCostBound *bound, RmPool *pool) {
  Proving p = {g, budget, rm_graph_cost(g), bound, pool};
  if (bound->cost >= cost || bound->count == 0)
    return;
  RmPool *scratch = rm_pool_branch(pool);
  RmIntVec over = find_over(g, budget, scratch);
  RmIntVec few = {0};
  for (int32_t i = 0; i < bound->count; ++i)
    rm_vec_push(scratch, &few, bound->steps[i]);
  if (ask(&p, cost, few, 1) != YES)
    ask_at_many(&p, cost, &over, scratch);
  rm_pool_destroy(scratch);
}
