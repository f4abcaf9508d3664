/* lib/plan/greedy.c - drop the cheapest byte first.
 *
 * At the fullest step, of all values that pass through it unread, those whose
 * recomputation is cheapest for the bytes it frees over the budget are tried in
 * earnest, a few at a time until one of them helps; the best of these is taken.
 * Where nothing helps the next fullest step is looked at. It starts from a seed
 * if there is one, and ends when the budget holds, all steps are given up, or
 * it has worked enough. Ties go to the value made first. */
#include "plan/moves.h"
#include "plan/strategy.h"

#include <stdlib.h>

enum { SHORTLIST = 8, TRIALS = 24 };

/* Some seconds: only large graphs need more, and then much more. */
#define MOST_WORK 200000000

typedef struct Candidate {
  double price; /* cost for a byte over the budget at a step */
  int32_t op;
  RmStep before;
} Candidate;

typedef struct Greedy {
  RmState *state;
  RmTrail trail;
  RM_VEC(int32_t) over_before; /* by slot: how many below are over the budget */
  bool *given_up;              /* by region: nothing helped in it */
  RM_VEC(Candidate) candidates;
} Greedy;

static void count_over(Greedy *g) {
  const RmExcess *e = &g->state->excess;
  rm_vec_reserve(g->state->pool, &g->over_before, e->slots + 1);
  g->over_before.items[0] = 0;
  for (int32_t slot = 0; slot < e->slots; ++slot)
    g->over_before.items[slot + 1] =
        g->over_before.items[slot] + (rm_excess_at(e, slot) > 0);
}

/* What passes through `slot` unread and may be made again when it is read
 * next. The bytes freed are those of all results that so pass. */
static void consider_op(Greedy *g, int32_t op, int32_t slot) {
  const RmState *s = g->state;
  RmTouched results = s->results[op];
  int32_t next = INT32_MAX;
  int64_t bytes = 0;
  for (int32_t i = 0; i < results.count; ++i) {
    int32_t value = s->values[results.first + i];
    int32_t read = rm_state_next_read(s, value, slot);
    if (read < 0 || rm_state_reads(s, value, slot))
      continue;
    next = read < next ? read : next;
    bytes += s->graph->values.items[value].bytes;
  }
  if (!bytes)
    return;
  double steps =
      (double)(g->over_before.items[next] - g->over_before.items[slot]);
  double cost = (double)(s->graph->ops.items[op].cost + 1);
  Candidate candidate = {cost / ((double)bytes * steps), op,
                         rm_state_step(s, next)};
  rm_vec_push(s->pool, &g->candidates, candidate);
}

static int compare_prices(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->price != y->price)
    return x->price < y->price ? -1 : 1;
  return (x->op > y->op) - (x->op < y->op);
}

static void list_candidates(Greedy *g, int32_t slot) {
  int32_t region = g->state->region_at[slot];
  g->candidates.count = 0;
  count_over(g);
  for (int32_t op = 0; op < region; ++op)
    if (g->state->graph->ops.items[op].recomputable &&
        op != g->state->op_at[slot])
      consider_op(g, op, slot);
  if (g->candidates.count > 1)
    qsort(g->candidates.items, g->candidates.count, sizeof(Candidate),
          compare_prices);
  g->state->excess.work += (g->state->excess.slots + region) / 4;
}

/* What the candidate's recomputation would really take off the area for its
 * cost; 0: nothing. */
static double weigh(Greedy *g, const Candidate *c) {
  size_t mark = g->trail.moves.count;
  int64_t area = rm_state_area(g->state), cost = g->state->cost;
  double worth = 0;
  g->trail.trials = TRIALS;
  if (rm_move_recompute(&g->trail, c->op, c->before) &&
      rm_state_area(g->state) < area)
    worth = (double)(area - rm_state_area(g->state)) /
            (double)(g->state->cost > cost ? g->state->cost - cost : 1);
  rm_trail_undo(&g->trail, mark);
  return worth;
}

/* The fullest step that is not given up; -1 if none is over the budget. */
static int32_t fullest_open(const Greedy *g) {
  const RmState *s = g->state;
  int64_t most = 0;
  int32_t best = -1;
  for (int32_t slot = 0; slot < s->excess.slots; ++slot) {
    int64_t over = rm_excess_at(&s->excess, slot);
    if (over <= most || g->given_up[s->region_at[slot]])
      continue;
    most = over;
    best = slot;
  }
  return best;
}

/* False if none of them helps. */
static bool take_best(Greedy *g, const Candidate *few, size_t count) {
  const Candidate *best = NULL;
  double most = 0;
  for (size_t i = 0; i < count; ++i) {
    double worth = weigh(g, &few[i]);
    if (worth <= most)
      continue;
    most = worth;
    best = &few[i];
  }
  if (!best)
    return false;
  g->trail.trials = TRIALS;
  rm_move_recompute(&g->trail, best->op, best->before);
  g->trail.moves.count = 0;
  return true;
}

/* False if no candidate at the step lowers the area. */
static bool relieve(Greedy *g, int32_t slot) {
  list_candidates(g, slot);
  size_t count = g->candidates.count;
  for (size_t first = 0; first < count; first += SHORTLIST) {
    size_t few = count - first < SHORTLIST ? count - first : SHORTLIST;
    if (take_best(g, &g->candidates.items[first], few))
      return true;
  }
  return false;
}

static bool is_done(const Greedy *g) {
  return rm_state_work(g->state) > MOST_WORK;
}

RmSchedule rm_strategy_greedy(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  RmPool *scratch = rm_pool_branch(pool);
  Greedy g = {.state =
                  rm_state_create(graph, problem->options->budget, scratch)};
  g.given_up = RM_NEW_ARRAY(scratch, bool, graph->ops.count);
  g.trail = (RmTrail){.state = g.state,
                      .max_recompute = problem->options->max_recompute};
  if (problem->num_seeds)
    rm_state_load(g.state, &problem->seeds[0]);
  int64_t area = rm_state_area(g.state);
  if (area)
    g.trail.price = 4.0 * (double)g.state->cost / (double)area;
  for (int32_t slot; !is_done(&g) && (slot = fullest_open(&g)) >= 0;)
    if (!relieve(&g, slot))
      g.given_up[g.state->region_at[slot]] = true;
  RmSchedule found = rm_state_schedule(g.state, pool);
  rm_pool_destroy(scratch);
  return found;
}
