/* lib/plan/search.c - local search over schedules.
 *
 * Simulated annealing on a state: abandon a value where memory is over the
 * budget and make it again late, take a recomputation away, or shift one. The
 * worth of a state is its cost plus a price for each byte over the budget; the
 * price follows how often the search is within the budget. Rounds start from
 * the best plan so far, each cooler than the last. Seeded, and bounded by
 * counted work, so that equal inputs give equal plans.
 *
 * Never worse than its seeds: it starts from the best of them. */
#include "plan/moves.h"
#include "plan/strategy.h"

#include <math.h>
#include <time.h>

typedef struct Search {
  RmState *state;
  RmTrail trail;
  RmPool *pool;
  uint64_t random;
  double heat; /* worth that is given up as easily as not, in cost */
  int32_t within, samples; /* how often within the budget, of how many */
  RM_VEC(RmRerun) best;
  int64_t best_cost, best_area;
  int32_t best_extra;
  int64_t enough;  /* cost */
  double deadline; /* on the clock of `seconds`; 0: none */
} Search;

/* xorshift64*: the same on every machine. */
static uint64_t draw(Search *s) {
  s->random ^= s->random >> 12;
  s->random ^= s->random << 25;
  s->random ^= s->random >> 27;
  return s->random * 0x2545f4914f6cdd1du;
}

static int32_t draw_below(Search *s, int32_t limit) {
  return (int32_t)((draw(s) >> 32) * (uint64_t)limit >> 32);
}

static double draw_unit(Search *s) { return (double)(draw(s) >> 11) * 0x1p-53; }

/*===-- The best so far ---------------------------------------------------===*/

static bool is_better(const Search *s) {
  const RmState *now = s->state;
  if (now->area != s->best_area)
    return now->area < s->best_area;
  if (now->cost != s->best_cost)
    return now->cost < s->best_cost;
  return (int32_t)now->reruns.count < s->best_extra;
}

static void remember(Search *s) {
  s->best.count = 0;
  s->best_area = s->state->area;
  s->best_cost = s->state->cost;
  s->best_extra = (int32_t)s->state->reruns.count;
  for (size_t i = 0; i < s->state->reruns.count; ++i)
    rm_vec_push(s->pool, &s->best, s->state->reruns.items[i]);
}

static void return_to_best(Search *s) {
  RmState *state = s->state;
  while (state->reruns.count) {
    RmRerun last = state->reruns.items[state->reruns.count - 1];
    rm_state_remove(state, last.op, last.region);
  }
  for (size_t i = 0; i < s->best.count; ++i)
    rm_state_insert(state, s->best.items[i].op, s->best.items[i].region);
}

/*===-- Moves -------------------------------------------------------------===*/

/* A region over the budget, near a random place; -1 if none was met. */
static int32_t find_full_region(Search *s) {
  const RmState *state = s->state;
  int32_t at = draw_below(s, state->count);
  for (int32_t i = 0; i < state->count; ++i) {
    int32_t t = at + i < state->count ? at + i : at + i - state->count;
    if (state->over[t] > 0)
      return t;
  }
  return -1;
}

/* A value of `op` that passes through `region` unread: where it is read next,
 * and its bytes. */
static int32_t find_gap(const Search *s, int32_t op, int32_t region,
                        int64_t *bytes) {
  const RmState *state = s->state;
  const RmOp *info = &state->graph->ops.items[op];
  int32_t next = -1;
  *bytes = 0;
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t value = info->first_result + i;
    if (!state->graph->values.items[value].counted)
      continue;
    int32_t read = rm_state_next_read(state, value, region - 1);
    if (read <= region || rm_state_span(state, value, region).made == region)
      continue;
    *bytes += state->graph->values.items[value].bytes;
    next = next < 0 || read < next ? read : next;
  }
  return next;
}

enum { PROBES = 24 };

/* Of a few ops whose values pass through `region`, the one that frees most for
 * its cost, with noise. */
static bool choose_passing(Search *s, int32_t region, RmRerun *choice) {
  int32_t wanted = 1 + draw_below(s, 4);
  double best = -1;
  for (int32_t i = 0; i < PROBES && wanted && region; ++i) {
    int32_t op = draw_below(s, region);
    if (!s->state->graph->ops.items[op].recomputable)
      continue;
    int64_t bytes;
    int32_t next = find_gap(s, op, region, &bytes);
    if (next < 0)
      continue;
    double worth = draw_unit(s) * (double)bytes /
                   (double)(s->state->graph->ops.items[op].cost + 1);
    --wanted;
    if (worth <= best)
      continue;
    best = worth;
    *choice = (RmRerun){op, next};
  }
  return best >= 0;
}

static bool abandon(Search *s) {
  RmRerun choice;
  int32_t region =
      s->state->area ? find_full_region(s) : draw_below(s, s->state->count);
  if (!choose_passing(s, region, &choice))
    return false;
  if (draw_below(s, 10) >= 8) /* not always as late as can be */
    choice.region -= draw_below(s, choice.region - region);
  return rm_move_recompute(&s->trail, choice.op, choice.region);
}

static bool choose_rerun(Search *s, RmRerun *choice) {
  if (!s->state->reruns.count)
    return false;
  *choice =
      s->state->reruns.items[draw_below(s, (int32_t)s->state->reruns.count)];
  return true;
}

static bool keep(Search *s) {
  RmRerun choice;
  if (!choose_rerun(s, &choice))
    return false;
  rm_move_keep(&s->trail, choice.op, choice.region);
  return true;
}

/* To the next read of what it makes, or to some region since the last. */
static bool shift(Search *s) {
  RmRerun choice;
  if (!choose_rerun(s, &choice))
    return false;
  int32_t value = s->state->graph->ops.items[choice.op].first_result;
  int32_t to = -1;
  if (draw_below(s, 2) && s->state->graph->values.items[value].counted)
    to = rm_state_next_read(s->state, value, choice.region);
  rm_move_keep(&s->trail, choice.op, choice.region);
  if (to < 0) {
    int32_t reach = choice.region - choice.op;
    if (reach > 64)
      reach = 64;
    to = choice.region - draw_below(s, reach);
  }
  rm_move_recompute(&s->trail, choice.op, to);
  return true;
}

static bool move(Search *s) {
  int32_t kind = draw_below(s, 100);
  static const int32_t tries[] = {0, 2, 4, 8, 8, 30};
  s->trail.trials = tries[draw_below(s, 6)];
  if (kind < (s->state->area ? 60 : 35))
    return abandon(s);
  return kind < 80 ? keep(s) : shift(s);
}

static bool accepts(Search *s, double before, double after) {
  if (after <= before)
    return true;
  return after - before < -s->heat * log(draw_unit(s) + 0x1p-60);
}

enum { SAMPLES = 64 };

static void adapt_price(Search *s) {
  s->within += s->state->area == 0;
  if (++s->samples < SAMPLES)
    return;
  if (s->within == 0)
    s->trail.price *= 1.08;
  else if (s->within > SAMPLES / 2)
    s->trail.price *= 0.93;
  s->within = s->samples = 0;
}

static void step(Search *s) {
  double before = rm_trail_worth(&s->trail);
  s->trail.moves.count = 0;
  if (!move(s) || !accepts(s, before, rm_trail_worth(&s->trail))) {
    rm_trail_undo(&s->trail, 0);
  } else if (is_better(s)) {
    remember(s);
  }
  adapt_price(s);
  s->state->work += 40;
}

/*===-- Rounds ------------------------------------------------------------===*/

enum { ROUNDS = 12, VAIN_ROUNDS = 4 };

/* Work units, some hundred million a second, by the number of ops up to a
 * limit: small graphs are searched through long before. */
static int64_t work_of(const RmProblem *problem) {
  static const int64_t each[] = {20000, 500000, 4000000, 20000000};
  static const int64_t most[] = {10000000, 800000000, 6000000000, 24000000000};
  int effort = problem->options->effort;
  int64_t work = each[effort] * (int64_t)problem->graph->ops.count;
  return work < most[effort] ? work : most[effort];
}

static double seconds(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_over(const Search *s) {
  if (s->best_area == 0 && s->best_cost <= s->enough)
    return true;
  return s->deadline > 0 && seconds() >= s->deadline;
}

static void cool(Search *s, double from, double to, int64_t work) {
  int64_t begin = s->state->work;
  while (s->state->work - begin < work && !is_over(s)) {
    double done = (double)(s->state->work - begin) / (double)work;
    s->heat = from * exp(log(to / from) * done);
    for (int i = 0; i < 32; ++i)
      step(s);
  }
}

static void run_rounds(Search *s, int64_t work) {
  const RmGraph *graph = s->state->graph;
  double mean = (double)s->state->cost / (double)(graph->ops.count + 1) + 1e-9;
  int vain = 0; /* rounds in a row that found nothing better */
  for (int i = 0; i < ROUNDS && vain < VAIN_ROUNDS && !is_over(s); ++i) {
    int64_t cost = s->best_cost, area = s->best_area;
    double from = i == 0 ? mean : mean * (i % 3 == 0 ? 0.5 : 0.15);
    cool(s, from, mean * 0.002, work / ROUNDS);
    return_to_best(s);
    vain = s->best_cost == cost && s->best_area == area ? vain + 1 : 0;
  }
}

static void start_from_best_seed(Search *s, const RmProblem *problem) {
  remember(s);
  for (int32_t i = 0; i < problem->num_seeds; ++i) {
    rm_state_load(s->state, &problem->seeds[i]);
    if (is_better(s))
      remember(s);
  }
  return_to_best(s);
}

RmSchedule rm_strategy_search(const RmProblem *problem, RmPool *pool) {
  const RmPlanOptions *options = problem->options;
  Search s = {
      .pool = pool, .random = 0x9e3779b97f4a7c15u, .enough = problem->enough};
  s.state = rm_state_create(problem->graph, options->budget, pool);
  s.trail =
      (RmTrail){.state = s.state, .max_recompute = options->max_recompute};
  if (options->time_limit > 0)
    s.deadline = seconds() + options->time_limit;
  if (!s.state->area)
    return rm_state_schedule(s.state, pool);
  s.trail.price = 0.5 * (double)s.state->cost / (double)s.state->area;
  start_from_best_seed(&s, problem);
  s.state->work = 0;
  run_rounds(&s, work_of(problem));
  return_to_best(&s);
  return rm_state_schedule(s.state, pool);
}
