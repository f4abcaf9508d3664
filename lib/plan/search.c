/* lib/plan/search.c - local search over schedules.
 *
 * Simulated annealing on a state: abandon a value where memory is over the
 * budget and make it again late, take a recomputation away, shift one, or take
 * some away and abandon others for them. The worth of a state is its cost plus
 * a price for each byte over the budget; the price follows how often the search
 * is within the budget. How much worse a move may be is drawn before it is
 * made, for most can be told to be worse than that without making them.
 *
 * Each effort first does what the effort below does, so that more effort never
 * gives less. Of its own work most is one slow cooling, which is worth more
 * than many fast ones; the rest are short ones from the best plan so far.
 * Seeded, and bounded by counted work, so that equal inputs give equal plans.
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
  double heat;  /* worth that is given up as easily as not, in cost */
  double limit; /* this move may not make the worth so much worse */
  int32_t within, samples; /* how often within the budget, of how many */
  RmIntVec snapshot;       /* a schedule */
  int64_t best_mark, best_cost, best_area;
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

/* The natural logarithm, to some nine digits, of additions, products and
 * quotients alone: those of the C library differ between machines in the last
 * bit, which would be another plan. */
static double natural_log(double x) {
  int exponent;
  double m = frexp(x, &exponent), z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int i = 15; i > 0; i -= 2)
    sum = sum * square + 1.0 / i;
  return 2 * z * sum + exponent * 0.69314718055994530942;
}

/* e to the power of `x` <= 0, to some hundredths. */
static double fading(double x) {
  double power = 1 - x / 1024;
  for (int i = 0; i < 10; ++i)
    power *= power;
  return 1 / power;
}

/*===-- The best so far ---------------------------------------------------===*/

/* The best is what the trail leads to at `best_mark`, or `snapshot` if that is
 * negative: copying it each time would cost more than finding it. */
enum { LONG_TRAIL = 4096 };

static bool is_better(const Search *s) {
  const RmState *now = s->state;
  if (rm_state_area(now) != s->best_area)
    return rm_state_area(now) < s->best_area;
  if (now->cost != s->best_cost)
    return now->cost < s->best_cost;
  return (int32_t)now->reruns.count < s->best_extra;
}

static void remember(Search *s) {
  s->best_mark = (int64_t)s->trail.moves.count;
  s->best_area = rm_state_area(s->state);
  s->best_cost = s->state->cost;
  s->best_extra = (int32_t)s->state->reruns.count;
}

/* Makes the best the snapshot, and forgets the way that led here. */
static void shorten_trail(Search *s) {
  if (s->best_mark >= 0) {
    RM_VEC(RmMove) since = {0};
    for (size_t i = (size_t)s->best_mark; i < s->trail.moves.count; ++i)
      rm_vec_push(s->pool, &since, s->trail.moves.items[i]);
    rm_trail_undo(&s->trail, (size_t)s->best_mark);
    size_t steps = (size_t)s->state->count + s->state->reruns.count;
    rm_vec_reserve(s->pool, &s->snapshot, steps);
    s->snapshot.count = steps;
    rm_state_write(s->state, s->snapshot.items);
    rm_trail_redo(&s->trail, since.items, since.count);
  }
  s->best_mark = -1;
  s->trail.moves.count = 0;
}

static void return_to_best(Search *s) {
  RmSchedule snapshot = {s->snapshot.items, (int32_t)s->snapshot.count};
  if (s->best_mark >= 0)
    rm_trail_undo(&s->trail, (size_t)s->best_mark);
  else
    rm_state_load(s->state, &snapshot);
  shorten_trail(s);
}

/*===-- Moves -------------------------------------------------------------===*/

/* The results of `op` that pass through `slot` unread: where the first of them
 * is read next (-1: none passes), and their bytes. */
static int32_t find_gap(const Search *s, int32_t op, int32_t slot,
                        int64_t *bytes) {
  const RmState *state = s->state;
  RmTouched results = state->results[op];
  int32_t next = -1;
  *bytes = 0;
  for (int32_t i = 0; i < results.count; ++i) {
    int32_t value = state->values[results.first + i];
    int32_t read = rm_state_next_read(state, value, slot);
    if (read < 0 || rm_state_reads(state, value, slot))
      continue;
    *bytes += state->graph->values.items[value].bytes;
    next = next < 0 || read < next ? read : next;
  }
  return next;
}

enum { PROBES = 24 };

/* An op to run again and the step to run it before. */
typedef struct Choice {
  int32_t op;
  RmStep before;
} Choice;

/* Of a few ops whose values pass through `slot`, the one that frees most for
 * its cost, with noise; as late as can be. */
static bool choose_passing(Search *s, int32_t slot, Choice *choice) {
  const RmState *state = s->state;
  int32_t region = state->region_at[slot];
  int32_t wanted = 1 + draw_below(s, 4);
  double best = -1;
  for (int32_t i = 0; i < PROBES && wanted && region; ++i) {
    int32_t op = draw_below(s, region), next;
    int64_t bytes;
    if (op == state->op_at[slot] || !state->graph->ops.items[op].recomputable ||
        (next = find_gap(s, op, slot, &bytes)) < 0)
      continue;
    double worth = draw_unit(s) * (double)bytes /
                   (double)(state->graph->ops.items[op].cost + 1);
    --wanted;
    if (worth <= best)
      continue;
    best = worth;
    *choice = (Choice){op, rm_state_step(state, next)};
  }
  return best >= 0;
}

static bool abandon(Search *s) {
  RmState *state = s->state;
  Choice choice;
  int32_t slot = draw_below(s, state->excess.slots);
  if (rm_state_area(state))
    slot = rm_excess_find(&state->excess, slot);
  if (state->op_at[slot] < 0 || !choose_passing(s, slot, &choice))
    return false;
  int32_t reach = choice.before.region - state->region_at[slot];
  if (reach && draw_below(s, 10) >= 8) { /* not always as late as can be */
    int32_t region = choice.before.region - draw_below(s, reach);
    choice.before = (RmStep){region, region};
  }
  if (!rm_move_is_allowed(&s->trail, choice.op, choice.before) ||
      rm_move_least_change(&s->trail, choice.op, choice.before) >= s->limit)
    return false;
  return rm_move_recompute(&s->trail, choice.op, choice.before);
}

static bool choose_rerun(Search *s, RmStep *choice) {
  if (!s->state->reruns.count)
    return false;
  *choice =
      s->state->reruns.items[draw_below(s, (int32_t)s->state->reruns.count)];
  return true;
}

static bool keep(Search *s) {
  RmStep choice;
  if (!choose_rerun(s, &choice))
    return false;
  rm_move_keep(&s->trail, choice);
  return true;
}

/* The step that reads the first result of a run next after its slot; itself if
 * nothing does. */
static RmStep next_reader(const RmState *s, RmStep run) {
  RmTouched results = s->results[run.op];
  int32_t read = -1, slot = rm_state_slot(s, run.op, run.region);
  if (results.count)
    read = rm_state_next_read(s, s->values[results.first], slot);
  return read < 0 ? run : rm_state_step(s, read);
}

/* To right before its next reader, or before a base step not long before. */
static bool shift(Search *s) {
  RmStep choice;
  if (!choose_rerun(s, &choice))
    return false;
  RmStep before = next_reader(s->state, choice);
  if (draw_below(s, 2) || before.op == choice.op) {
    int32_t reach = choice.region - choice.op;
    int32_t to = choice.region - draw_below(s, reach > 64 ? 64 : reach);
    before = (RmStep){to, to};
  }
  rm_move_keep(&s->trail, choice);
  if (rm_state_slot(s->state, before.op, before.region) >= 0)
    rm_move_recompute(&s->trail, choice.op, before);
  return true;
}

/* A recomputation with all that is run for it, some regions on or back. */
static bool carry(Search *s) {
  RmStep choice;
  if (!choose_rerun(s, &choice))
    return false;
  int32_t reach = draw_below(s, 2) ? 4 : 64;
  int32_t region = choice.region - reach + draw_below(s, 2 * reach + 1);
  if (region <= choice.op || region >= s->state->count)
    return false;
  return rm_move_chain(&s->trail, choice, region);
}

enum { REFILLS = 3 };

/* Takes one or two away, then abandons others where that leaves too much: those
 * that help each by itself, or, also while nothing fits, any, as what counts is
 * the change by all of it. */
static bool refill(Search *s) {
  double limit = s->limit;
  bool each_helps = s->best_area == 0 && draw_below(s, 2);
  if (!keep(s))
    return false;
  if (draw_below(s, 3) == 0)
    keep(s);
  s->limit = each_helps ? 0 : INFINITY;
  for (int i = 0; i < REFILLS && rm_state_area(s->state); ++i) {
    size_t mark = s->trail.moves.count;
    double before = rm_trail_worth(&s->trail);
    if (abandon(s) && each_helps && rm_trail_worth(&s->trail) >= before)
      rm_trail_undo(&s->trail, mark);
  }
  s->limit = limit;
  return true;
}

static bool move(Search *s) {
  static const int32_t trials[] = {0, 2, 4, 8, 8, 30};
  s->trail.trials = trials[draw_below(s, 6)];
  if (draw_below(s, 100) < 20)
    return refill(s);
  int32_t kind = draw_below(s, 100);
  if (kind < (rm_state_area(s->state) ? 60 : 35))
    return abandon(s);
  if (kind < 80)
    return keep(s);
  return kind < 90 ? shift(s) : carry(s);
}

enum { SAMPLES = 64 };

static void adapt_price(Search *s) {
  s->within += rm_state_area(s->state) == 0;
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
  size_t mark = s->trail.moves.count;
  s->limit = -s->heat * natural_log(draw_unit(s) + 0x1p-60);
  s->state->excess.work += 40;
  if (!move(s) || rm_trail_worth(&s->trail) - before > s->limit) {
    rm_trail_undo(&s->trail, mark);
    return;
  }
  if (is_better(s))
    remember(s);
  if (s->trail.moves.count > LONG_TRAIL + 4 * s->state->reruns.count)
    shorten_trail(s);
  adapt_price(s);
}

/*===-- Rounds ------------------------------------------------------------===*/

enum { ROUNDS = 8 };

/* What effort `level` adds, in units of some hundred million a second: so much
 * for each op, or more for ops of a larger graph, and no more than a limit,
 * which only graphs that are very large may pass. */
static int64_t work_of(const RmGraph *graph, int level) {
  static const int64_t each[] = {20000, 500000, 0, 0};
  static const int64_t more[] = {0, 0, 700, 2800};
  static const int64_t most[] = {10000000, 800000000, 11000000000, 44000000000};
  int64_t ops = (int64_t)graph->ops.count;
  int64_t root = (int64_t)sqrt((double)ops);
  int64_t work = ops * (each[level] + more[level] * ops * root);
  int64_t limit = most[level] / 40000 * (ops > 40000 ? ops : 40000);
  return work < limit ? work : limit;
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
  int64_t begin = rm_state_work(s->state);
  double depth = natural_log(to / from);
  while (rm_state_work(s->state) - begin < work && !is_over(s)) {
    double done = (double)(rm_state_work(s->state) - begin) / (double)work;
    s->heat = from * fading(depth * done);
    for (int i = 0; i < 32; ++i)
      step(s);
  }
}

enum { HOT_WORK = 200000, VERY_LARGE = 20000 };

/* Some fast coolings and a slow one from a heat at which anything goes, then
 * some that leave most of the best plan as it is. With little work for each op
 * all are of that kind, and on very large graphs the last hardly warm it. */
static void run_rounds(Search *s, int64_t work) {
  static const double share[ROUNDS] = {0.08, 0.08, 0.08, 0.08,
                                       0.5,  0.06, 0.06, 0.06};
  static const double from[ROUNDS] = {1, 1, 1, 1, 1, 0.15, 0.5, 0.15};
  int32_t ops = s->state->count;
  double mean =
      (double)(s->best_cost - s->state->fixed) / (double)(ops + 1) + 1e-9;
  for (int i = 0; i < ROUNDS && !is_over(s); ++i) {
    int64_t here = (int64_t)(share[i] * (double)work);
    double hot = here / (ops + 1) >= HOT_WORK ? mean : 0.03 * mean;
    if (i > 4 && ops < VERY_LARGE)
      hot = mean;
    cool(s, from[i] * hot, 0.002 * mean, here);
    return_to_best(s);
  }
}

/* The state has nothing recomputed. */
static void start_from_best_seed(Search *s, const RmProblem *problem) {
  remember(s);
  shorten_trail(s);
  for (int32_t i = 0; i < problem->num_seeds; ++i) {
    rm_state_load(s->state, &problem->seeds[i]);
    if (!is_better(s))
      continue;
    remember(s);
    shorten_trail(s);
  }
  return_to_best(s);
}

static Search create(const RmProblem *problem, int64_t budget, RmPool *pool) {
  const RmPlanOptions *options = problem->options;
  Search s = {
      .pool = pool, .random = 0x9e3779b97f4a7c15u, .enough = problem->enough};
  s.state = rm_state_create(problem->graph, budget, pool);
  s.trail =
      (RmTrail){.state = s.state, .max_recompute = options->max_recompute};
  if (options->time_limit > 0)
    s.deadline = seconds() + options->time_limit;
  return s;
}

RmSchedule rm_strategy_search(const RmProblem *problem, RmPool *pool) {
  const RmPlanOptions *options = problem->options;
  RmPool *scratch = rm_pool_branch(pool);
  Search s = create(problem, options->budget, scratch);
  int64_t area = rm_state_area(s.state);
  if (area) {
    s.trail.price = 0.5 * rm_state_variable_cost(s.state) / (double)area;
    start_from_best_seed(&s, problem);
    for (int level = 0; level <= options->effort; ++level)
      run_rounds(&s, work_of(problem->graph, level));
  }
  RmSchedule found = rm_state_schedule(s.state, pool);
  rm_pool_destroy(scratch);
  return found;
}

/*===-- Downward ----------------------------------------------------------===*/

enum { SHARES = 50, FUTILE = 12 };

static int64_t peak_of(const RmState *s) {
  return s->budget + rm_excess_at(&s->excess, rm_excess_fullest(&s->excess));
}

/* Searches for the budget with that work, hot in cost, as bytes come first. */
static bool meet(Search *s, double mean, int64_t work) {
  int64_t begin = rm_state_work(s->state), area = rm_state_area(s->state);
  s->heat = 10 * mean;
  s->trail.price = 200 * mean / (double)(area + 1);
  while (rm_state_area(s->state) && rm_state_work(s->state) - begin < work)
    step(s);
  return rm_state_area(s->state) == 0;
}

/* Makes this the best; the state may get worse than it as it likes. */
static void settle(Search *s) {
  remember(s);
  shorten_trail(s);
  s->state->excess.work += 4 * s->state->excess.slots;
  s->best_area = -1;
}

/* A budget a little below the least peak so far, further below while that goes
 * well, is searched for from wherever the search has come to. */
static void descend(Search *s, int64_t wanted, int64_t floor, int64_t work) {
  double mean = (double)s->state->cost / (double)(s->state->count + 1) + 1e-9;
  double part = 1.0 / 256;
  int64_t least = peak_of(s->state);
  settle(s);
  for (int futile = 0; futile < FUTILE && least > floor && least > wanted &&
                       rm_state_work(s->state) < work && !is_over(s);) {
    int64_t budget = least - 1 - (int64_t)(part * (double)least);
    rm_state_turn_to(s->state, budget > floor ? budget : floor);
    if (meet(s, mean, work / SHARES)) {
      least = peak_of(s->state);
      settle(s);
      part *= 1.1;
      futile = 0;
    } else {
      part *= 0.5;
      ++futile;
    }
  }
  return_to_best(s);
}

RmSchedule rm_search_descend(const RmProblem *problem, int64_t floor,
                             RmPool *pool) {
  RmPool *scratch = rm_pool_branch(pool);
  Search s = create(problem, floor, scratch);
  rm_state_load(s.state, &problem->seeds[0]);
  descend(&s, problem->options->budget, floor,
          work_of(problem->graph, problem->options->effort));
  RmSchedule found = rm_state_schedule(s.state, pool);
  rm_pool_destroy(scratch);
  return found;
}
