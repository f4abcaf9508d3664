/* lib/plan/greedy.c - drop the cheapest byte first.
 *
 * At the fullest region, of all values that pass through it unread, those whose
 * recomputation is cheapest for the bytes it frees over the budget are tried in
 * earnest, and the best is taken. Where nothing helps the next fullest region
 * is looked at. It starts from a seed if there is one. Repeat until the budget
 * holds or all are given up. Ties go to the value made first. */
#include "plan/moves.h"
#include "plan/strategy.h"

enum { SHORTLIST = 8, TRIALS = 24 };

typedef struct Candidate {
  double price; /* cost for a byte-region over the budget */
  int32_t op, region;
} Candidate;

typedef struct Greedy {
  RmState *state;
  RmTrail trail;
  int64_t *over_before; /* by region: bytes over the budget in regions below */
  bool *given_up;       /* by region: nothing helped there */
  Candidate best[SHORTLIST];
  int32_t num_best;
} Greedy;

/* How many regions in [first, last] are over the budget. */
static void count_over(Greedy *g) {
  for (int32_t t = 0; t < g->state->count; ++t)
    g->over_before[t + 1] = g->over_before[t] + (g->state->over[t] > 0);
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

/* What passes through `region` unread and may be made again when it is read
 * next. The bytes freed are those of all results that so pass. */
static void consider_op(Greedy *g, int32_t op, int32_t region) {
  const RmState *s = g->state;
  const RmOp *info = &s->graph->ops.items[op];
  int32_t next = INT32_MAX, from = 0;
  int64_t bytes = 0;
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t value = info->first_result + i;
    if (!s->graph->values.items[value].counted)
      continue;
    RmSpan span = rm_state_span(s, value, region - 1);
    int32_t read = rm_state_next_read(s, value, region - 1);
    if (span.last < region || read <= region)
      continue;
    next = read < next ? read : next;
    from = span.made > from ? span.made : from;
    bytes += s->graph->values.items[value].bytes;
  }
  if (!bytes)
    return;
  double regions = (double)(g->over_before[next] - g->over_before[region]);
  consider(g, (Candidate){(double)(info->cost + 1) / ((double)bytes * regions),
                          op, next});
}

static void list_candidates(Greedy *g, int32_t region) {
  g->num_best = 0;
  count_over(g);
  for (int32_t op = 0; op < region; ++op)
    if (g->state->graph->ops.items[op].recomputable)
      consider_op(g, op, region);
}

static bool try_candidate(Greedy *g, const Candidate *c, double *worth) {
  size_t mark = g->trail.moves.count;
  int64_t area = g->state->area, cost = g->state->cost;
  g->trail.trials = TRIALS;
  bool helps =
      rm_move_recompute(&g->trail, c->op, c->region) && g->state->area < area;
  if (helps)
    *worth = (double)(area - g->state->area) /
             (double)(g->state->cost > cost ? g->state->cost - cost : 1);
  rm_trail_undo(&g->trail, mark);
  return helps;
}

/* The fullest region that is not given up; -1 if none is over the budget. */
static int32_t fullest_open(const Greedy *g) {
  int32_t best = -1;
  for (int32_t t = 0; t < g->state->count; ++t)
    if (g->state->over[t] > 0 && !g->given_up[t] &&
        (best < 0 || g->state->over[t] > g->state->over[best]))
      best = t;
  return best;
}

/* False if no candidate at the region lowers the area. */
static bool take_best(Greedy *g, int32_t region) {
  int32_t best = -1;
  double most = 0, worth = 0;
  list_candidates(g, region);
  for (int32_t i = 0; i < g->num_best; ++i)
    if (try_candidate(g, &g->best[i], &worth) && worth > most) {
      most = worth;
      best = i;
    }
  if (best < 0)
    return false;
  g->trail.trials = TRIALS;
  rm_move_recompute(&g->trail, g->best[best].op, g->best[best].region);
  g->trail.moves.count = 0;
  return true;
}

RmSchedule rm_strategy_greedy(const RmProblem *problem, RmPool *pool) {
  const RmGraph *graph = problem->graph;
  Greedy g = {.state = rm_state_create(graph, problem->options->budget, pool)};
  g.over_before = RM_NEW_ARRAY(pool, int64_t, graph->ops.count + 1);
  g.given_up = RM_NEW_ARRAY(pool, bool, graph->ops.count);
  g.trail = (RmTrail){.state = g.state,
                      .max_recompute = problem->options->max_recompute};
  if (problem->num_seeds)
    rm_state_load(g.state, &problem->seeds[0]);
  if (g.state->area)
    g.trail.price = 4.0 * (double)g.state->cost / (double)g.state->area;
  for (int32_t region; (region = fullest_open(&g)) >= 0;)
    if (!take_best(&g, region))
      g.given_up[region] = true;
  return rm_state_schedule(g.state, pool);
}
