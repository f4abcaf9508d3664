/* lib/plan/greedy.c - drop the cheapest byte first.
 *
 * At the fullest step, of all values that pass through it unread, those whose
 * recomputation is cheapest for the bytes it frees over the budget are tried in
 * earnest, and the best is taken. Where nothing helps the next fullest step is
 * looked at: going on to candidates further down fits more budgets, but is a
 * poor start for the search. It starts from a seed if there is one, and ends
 * when the budget holds, all steps are given up, or it has worked enough. Ties
 * go to the value made first. */
#include "plan/moves.h"
#include "plan/strategy.h"

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
  Candidate best[SHORTLIST];
  int32_t num_best;
} Greedy;

static void count_over(Greedy *g) {
  const RmExcess *e = &g->state->excess;
  rm_vec_reserve(g->state->pool, &g->over_before, e->slots + 1);
  g->over_before.items[0] = 0;
  for (int32_t slot = 0; slot < e->slots; ++slot)
    g->over_before.items[slot + 1] =
        g->over_before.items[slot] + (rm_excess_at(e, slot) > 0);
}

static void consider(Greedy *g, Candidate candidate) {
  int32_t at = g->num_best < SHORTLIST ? g->num_best++ : SHORTLIST;
  while (at > 0 && candidate.price < g->best[at - 1].price) {
    if (at < SHORTLIST)
      g->best[at] = g->best[at - 1];
    --at;
  }
  if (at < SHORTLIST)
    g->best[at] = candidate;
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
  consider(g, (Candidate){cost / ((double)bytes * steps), op,
                          rm_state_step(s, next)});
}

static void list_candidates(Greedy *g, int32_t slot) {
  int32_t region = g->state->region_at[slot];
  g->num_best = 0;
  count_over(g);
  for (int32_t op = 0; op < region; ++op)
    if (g->state->graph->ops.items[op].recomputable &&
        op != g->state->op_at[slot])
      consider_op(g, op, slot);
  g->state->excess.work += (g->state->excess.slots + region) / 4;
}

static bool try_candidate(Greedy *g, const Candidate *c, double *worth) {
  size_t mark = g->trail.moves.count;
  int64_t area = rm_state_area(g->state), cost = g->state->cost;
  g->trail.trials = TRIALS;
  bool helps = rm_move_recompute(&g->trail, c->op, c->before) &&
               rm_state_area(g->state) < area;
  if (helps)
    *worth = (double)(area - rm_state_area(g->state)) /
             (double)(g->state->cost > cost ? g->state->cost - cost : 1);
  rm_trail_undo(&g->trail, mark);
  return helps;
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

/* False if no candidate at the step lowers the area. */
static bool take_best(Greedy *g, int32_t slot) {
  int32_t best = -1;
  double most = 0, worth = 0;
  list_candidates(g, slot);
  for (int32_t i = 0; i < g->num_best; ++i)
    if (try_candidate(g, &g->best[i], &worth) && worth > most) {
      most = worth;
      best = i;
    }
  if (best < 0)
    return false;
  g->trail.trials = TRIALS;
  rm_move_recompute(&g->trail, g->best[best].op, g->best[best].before);
  g->trail.moves.count = 0;
  return true;
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
    g.trail.price = 4.0 * rm_state_variable_cost(g.state) / (double)area;
  for (int32_t slot;
       rm_state_work(g.state) < MOST_WORK && (slot = fullest_open(&g)) >= 0;)
    if (!take_best(&g, slot))
      g.given_up[g.state->region_at[slot]] = true;
  RmSchedule found = rm_state_schedule(g.state, pool);
  rm_pool_destroy(scratch);
  return found;
}
