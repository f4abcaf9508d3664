/* lib/plan/chain-plan.c - the cheapest plan of a chain, by dynamic programming.
 *
 * A task is to run the backwards of the stages s..t, last first, beginning with
 * the input of stage s, within some bytes. Its plan is one of three:
 *   keep tape j: run forward to j, hold its tape; task (j+1, t); backward of j;
 *                task (s, j-1).
 *   keep output j: run forward to j, hold its output; task (j+1, t); task
 *                (s, j). This is Beaumont et al.'s rotor; with revolve's chains
 *                it gives Griewank and Walther's optimum.
 *   no run: stage t has no tape; its backward, if it needs its input, waits for
 *                the end of task (s, t-1)'s forward.
 * Unlike rotor's, a task whose input nobody needs at its end may let it go, a
 * tape may be held without the input below it, and a backward that needs input
 * and tape may wait with its tape for an input made again.
 *
 * So a task has, besides s and t: whether the backward of stage t+1 waits, with
 * its tape held, for the output of t; and whether the input must be there at
 * the end. All tasks that end with the last stage are first runs.
 *
 * Where stages are all alike, tasks of the same length are one, but for those
 * that begin with stage 0 or end with the last.
 *
 * The cost of a task falls with the bytes it is given in few steps, so only
 * these are kept: a row of cells, each good from its slots on. */
#include "plan/chain.h"

enum { KEEP_TAPE, KEEP_OUTPUT, NO_RUN };
enum { FEWEST_SLOTS = 24, MOST_SLOTS = 2000 };

#define NEVER (INT64_MAX / 4)

typedef struct Cell {
  int64_t cost;   /* of forward runs; NEVER: does not fit */
  int32_t slots;  /* from which on */
  int32_t j : 30; /* counts from s */
  uint32_t how : 2;
} Cell;

typedef struct Row {
  Cell *cells; /* slots rise, the first has none; costs fall */
  int32_t count;
} Row;

typedef struct Task {
  bool waits, holds; /* stage t+1; the input to the end */
  int32_t s, t;
} Task;

typedef struct Tables {
  const RmChain *chain;
  const RmStage *stages;
  int32_t count;
  int64_t unit; /* bytes of a slot */
  int32_t slots;
  bool uniform;
  int32_t cells;                     /* tasks of each kind */
  Row *table[4];                     /* by waits, holds: tasks */
  int64_t *output_cost, *first_cost; /* of the stages before, all */
  RmPool *pool;
  Cell *now;             /* of the task at hand: by slots */
  int64_t *right, *rest; /* of two other tasks: costs by slots */
  int64_t *nothing;      /* zeros by slots */
} Tables;

/*===-- Cells -------------------------------------------------------------===*/

static bool is_first(const Tables *d, const Task *k) {
  return k->t == d->count - 1;
}

static int32_t place(const Tables *d, const Task *k) {
  int32_t n = d->count;
  if (!d->uniform)
    return k->t * (k->t + 1) / 2 + k->s;
  if (k->s == 0)
    return k->t;
  return is_first(d, k) ? n + k->s : 2 * n + k->t - k->s;
}

static Row *row_of(const Tables *d, const Task *k) {
  return d->table[2 * k->waits + k->holds] + place(d, k);
}

static const Cell *cell_of(const Tables *d, const Task *k, int64_t slots) {
  const Row *row = row_of(d, k);
  int32_t low = 0, high = row->count;
  while (high - low > 1) {
    int32_t middle = (low + high) / 2;
    if (row->cells[middle].slots <= slots)
      low = middle;
    else
      high = middle;
  }
  return &row->cells[low];
}

/* Writes costs by slots, `less` slots of which others take. */
static const int64_t *costs_of(const Tables *d, const Task *k, int64_t less,
                               int64_t *costs) {
  const Row *row = row_of(d, k);
  int64_t m = 0, cost = NEVER;
  for (int32_t i = 0; i < row->count && m <= d->slots; ++i) {
    int64_t from = row->cells[i].slots + less;
    for (; m < from && m <= d->slots; ++m)
      costs[m] = cost;
    cost = row->cells[i].cost;
  }
  for (; m <= d->slots; ++m)
    costs[m] = cost;
  return costs;
}

/* Keeps the row of the task at hand. */
static void keep_row(const Tables *d, const Task *k) {
  int32_t count = 0;
  for (int32_t m = 0; m <= d->slots; ++m)
    count += !m || d->now[m].cost != d->now[m - 1].cost;
  Row *row = row_of(d, k);
  *row = (Row){RM_NEW_ARRAY(d->pool, Cell, count), 0};
  for (int32_t m = 0; m <= d->slots; ++m) {
    if (m && d->now[m].cost == d->now[m - 1].cost)
      continue;
    row->cells[row->count] = d->now[m];
    row->cells[row->count++].slots = m;
  }
}

/* Slots that bytes take, and the fewest that hold them. */
static int64_t in_slots(const Tables *d, int64_t bytes) {
  return (bytes + d->unit - 1) / d->unit;
}

static int64_t input_slots(const Tables *d, int32_t s) {
  return s ? in_slots(d, d->stages[s - 1].output_bytes) : 0;
}

/*===-- One task ----------------------------------------------------------===*/

static int64_t run_cost(const Tables *d, const Task *k, int32_t j,
                        int purpose) {
  const RmStageRun *run = &d->stages[j].runs[purpose];
  int64_t before = is_first(d, k) ? d->first_cost[j] - d->first_cost[k->s]
                                  : d->output_cost[j] - d->output_cost[k->s];
  return before + (is_first(d, k) ? run->first_cost : run->cost);
}

/* What is alive besides the task's own: gradients, and the tape that waits. */
static int64_t around(const Tables *d, const Task *k) {
  if (is_first(d, k))
    return 0;
  const RmStage *next = &d->stages[k->t + k->waits];
  return in_slots(d, next->held) +
         (k->waits ? in_slots(d, next->tape_bytes) : 0);
}

/* Slots to run stage j while the input of s, if it is another, is held. */
static int64_t run_slots(const Tables *d, const Task *k, int32_t j, int purpose,
                         bool holds_input) {
  const RmStageRun *run = &d->stages[j].runs[purpose];
  const int64_t *peak = is_first(d, k) ? run->first_peak : run->peak;
  return in_slots(d, peak[holds_input]) + around(d, k) +
         (j > k->s ? input_slots(d, k->s) : 0);
}

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static void offer(Cell *cell, int64_t cost, int32_t j, int how) {
  if (cost < cell->cost)
    *cell = (Cell){.cost = cost, .j = j, .how = (unsigned)how};
}

/* Slots for the backward that waits, at the end of the forward. */
static int64_t waiting_slots(const Tables *d, const Task *k) {
  const RmStage *last = &d->stages[k->t], *next = last + 1;
  int64_t tape =
      last->tape_bytes - (last->tapes_output ? last->output_bytes : 0);
  return in_slots(d, next->back[last->tapes_output]) + in_slots(d, tape);
}

static void try_keep_tape(const Tables *d, const Task *k, int32_t j,
                          int64_t need) {
  const RmStage *stage = &d->stages[j];
  bool inner = j<k->t, left = j> k->s;
  bool input = left || k->holds || stage->reads_input;
  int purpose = inner || k->waits ? RM_FOR_TAPE_AND_OUTPUT : RM_FOR_TAPE;
  int64_t hold = input ? input_slots(d, k->s) : 0;
  int64_t above = hold + in_slots(d, stage->tape_bytes) -
                  (stage->tapes_output ? in_slots(d, stage->output_bytes) : 0);
  need = most(need, run_slots(d, k, j, purpose, !left && input));
  if (!inner && k->waits)
    need = most(need, waiting_slots(d, k) + hold);
  Task right = {k->waits, stage->tapes_output, j + 1, k->t};
  Task rest = {left && stage->reads_input, k->holds, k->s, j - 1};
  if (!rest.waits)
    need = most(need, in_slots(d, stage->back[!left && k->holds]) +
                          (left ? hold : 0));
  if (need > d->slots)
    return;
  int64_t run = run_cost(d, k, j, purpose);
  const int64_t *a = inner ? costs_of(d, &right, above, d->right) : d->nothing;
  const int64_t *b = left ? costs_of(d, &rest, 0, d->rest) : d->nothing;
  for (int64_t m = need; m <= d->slots; ++m)
    offer(&d->now[m], run + a[m] + b[m], j - k->s, KEEP_TAPE);
}

static void try_keep_output(const Tables *d, const Task *k, int32_t j,
                            int64_t need) {
  if (need > d->slots)
    return;
  Task right = {k->waits, false, j + 1, k->t};
  Task rest = {false, k->holds, k->s, j};
  int64_t run = run_cost(d, k, j, RM_FOR_OUTPUT);
  const int64_t *a = costs_of(d, &right, input_slots(d, k->s), d->right);
  const int64_t *b = costs_of(d, &rest, 0, d->rest);
  for (int64_t m = need; m <= d->slots; ++m)
    offer(&d->now[m], run + a[m] + b[m], j - k->s, KEEP_OUTPUT);
}

static void try_no_run(const Tables *d, const Task *k) {
  const RmStage *stage = &d->stages[k->t];
  if (stage->has_tape || k->waits || is_first(d, k))
    return;
  bool left = k->t > k->s;
  Task rest = {stage->reads_input, k->holds, k->s, k->t - 1};
  int64_t need = 0;
  if (!left || !stage->reads_input)
    need = in_slots(d, stage->back[!left && k->holds]) +
           (left ? input_slots(d, k->s) : 0);
  const int64_t *a = left ? costs_of(d, &rest, 0, d->rest) : d->nothing;
  for (int64_t m = need; m <= d->slots; ++m)
    offer(&d->now[m], a[m], k->t - k->s, NO_RUN);
}

static void solve_task(const Tables *d, const Task *k) {
  int64_t need = 0; /* of the forward up to j */
  for (int32_t m = 0; m <= d->slots; ++m)
    d->now[m] = (Cell){.cost = NEVER, .j = -1, .how = NO_RUN};
  for (int32_t j = k->s; j <= k->t; ++j) {
    try_keep_tape(d, k, j, need);
    need = most(need, run_slots(d, k, j, RM_FOR_OUTPUT, j == k->s));
    if (j < k->t)
      try_keep_output(d, k, j, need);
  }
  try_no_run(d, k);
  keep_row(d, k);
}

/*===-- All tasks ---------------------------------------------------------===*/

static void solve_span(const Tables *d, int32_t s, int32_t t) {
  for (int kind = 0; kind < 4; ++kind) {
    Task task = {kind >= 2, kind % 2, s, t};
    if (!task.waits || (t + 1 < d->count && d->stages[t + 1].reads_input))
      solve_task(d, &task);
  }
}

static void solve_all(const Tables *d) {
  int32_t n = d->count;
  for (int32_t length = 0; length < n; ++length)
    for (int32_t s = 0; s + length < n; ++s)
      if (!d->uniform || s < 2 || s + length == n - 1)
        solve_span(d, s, s + length);
}

static bool is_same_run(const RmStageRun *a, const RmStageRun *b) {
  return a->cost == b->cost && a->first_cost == b->first_cost &&
         a->peak[0] == b->peak[0] && a->peak[1] == b->peak[1] &&
         a->first_peak[0] == b->first_peak[0] &&
         a->first_peak[1] == b->first_peak[1];
}

static bool is_same_stage(const RmStage *a, const RmStage *b) {
  for (int i = 0; i < RM_NUM_RUNS; ++i)
    if (!is_same_run(&a->runs[i], &b->runs[i]))
      return false;
  return a->output_bytes == b->output_bytes && a->tape_bytes == b->tape_bytes &&
         a->has_tape == b->has_tape && a->tapes_output == b->tapes_output &&
         a->reads_input == b->reads_input && a->back[0] == b->back[0] &&
         a->back[1] == b->back[1] && a->held == b->held;
}

/* What a task that waits for the stage's input asks of it. */
static bool waits_alike(const RmStage *a, const RmStage *b) {
  return a->reads_input == b->reads_input &&
         (!a->reads_input ||
          (a->held == b->held && a->tape_bytes == b->tape_bytes &&
           a->back[0] == b->back[0] && a->back[1] == b->back[1]));
}

bool rm_chain_is_uniform(const RmChain *c) {
  for (int32_t k = 2; k + 1 < c->count; ++k)
    if (!is_same_stage(&c->stages[k], &c->stages[1]))
      return false;
  return c->count > 3 && waits_alike(&c->stages[c->count - 1], &c->stages[1]);
}

static int64_t divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int64_t common_unit(const RmChain *c) {
  int64_t unit = 0;
  for (int32_t k = 0; k < c->count; ++k) {
    const RmStage *s = &c->stages[k];
    unit = divisor(unit, divisor(s->output_bytes, s->tape_bytes));
    unit = divisor(unit, divisor(s->held, divisor(s->back[0], s->back[1])));
    for (int i = 0; i < RM_NUM_RUNS; ++i)
      for (int holds = 0; holds < 2; ++holds)
        unit = divisor(unit, divisor(s->runs[i].peak[holds],
                                     s->runs[i].first_peak[holds]));
  }
  return unit ? unit : 1;
}

/* Slots that so much work allows. */
static int64_t count_slots(const Tables *d, int64_t work) {
  int64_t slots = work / ((int64_t)d->cells * d->count * 2 + 1);
  return slots < FEWEST_SLOTS ? FEWEST_SLOTS
         : slots > MOST_SLOTS ? MOST_SLOTS
                              : slots;
}

static Tables create(const RmChain *c, int64_t budget, int64_t work,
                     RmPool *pool) {
  Tables d = {.chain = c, .stages = c->stages, .count = c->count, .pool = pool};
  d.unit = common_unit(c);
  d.uniform = rm_chain_is_uniform(c);
  d.cells = d.uniform ? 3 * c->count : c->count * (c->count + 1) / 2;
  int64_t slots = count_slots(&d, work);
  if (budget / d.unit > slots)
    d.unit = budget / slots + 1;
  d.slots = (int32_t)(budget / d.unit);
  for (int i = 0; i < 4; ++i)
    d.table[i] = RM_NEW_ARRAY(pool, Row, d.cells);
  d.now = RM_NEW_ARRAY(pool, Cell, d.slots + 1);
  d.right = RM_NEW_ARRAY(pool, int64_t, d.slots + 1);
  d.rest = RM_NEW_ARRAY(pool, int64_t, d.slots + 1);
  d.nothing = RM_NEW_ARRAY(pool, int64_t, d.slots + 1);
  d.output_cost = RM_NEW_ARRAY(pool, int64_t, c->count + 1);
  d.first_cost = RM_NEW_ARRAY(pool, int64_t, c->count + 1);
  for (int32_t k = 0; k < c->count; ++k) {
    const RmStageRun *run = &c->stages[k].runs[RM_FOR_OUTPUT];
    d.output_cost[k + 1] = d.output_cost[k] + run->cost;
    d.first_cost[k + 1] = d.first_cost[k] + run->first_cost;
  }
  return d;
}

/*===-- Writing the schedule ----------------------------------------------===*/

typedef struct Writer {
  const Tables *tables;
  RmPool *pool;
  RmIntVec *replay[RM_NUM_RUNS]; /* by stage; those not empty are known */
  int32_t next;                  /* op of the backward */
  RmIntVec steps;
} Writer;

static void write_run(Writer *w, int32_t k, int purpose, bool first) {
  const RmChain *c = w->tables->chain;
  for (int32_t op = c->stages[k].first; first && op < c->stages[k].end; ++op)
    rm_vec_push(w->pool, &w->steps, op);
  if (first)
    return;
  RmIntVec *ops = &w->replay[purpose][k];
  if (!ops->count)
    *ops = rm_chain_replay(c, k, purpose);
  for (size_t i = 0; i < ops->count; ++i)
    rm_vec_push(w->pool, &w->steps, ops->items[i]);
}

static void write_backward(Writer *w, int32_t k) {
  const RmChain *c = w->tables->chain;
  int32_t ops = (int32_t)c->graph->ops.count;
  for (; w->next < ops && c->stage_of[w->next] >= k; ++w->next)
    rm_vec_push(w->pool, &w->steps, w->next);
}

static void write_forward(Writer *w, const Task *k, int32_t j, int purpose) {
  bool first = is_first(w->tables, k);
  for (int32_t i = k->s; i < j; ++i)
    write_run(w, i, RM_FOR_OUTPUT, first);
  write_run(w, j, purpose, first);
}

static void write_task(Writer *w, Task k, int64_t slots);

/* The task that remains: what is to the left. */
static Task write_keep_tape(Writer *w, const Task *k, int32_t j,
                            int64_t slots) {
  const Tables *d = w->tables;
  const RmStage *stage = &d->stages[j];
  bool inner = j<k->t, left = j> k->s;
  bool input = left || k->holds || stage->reads_input;
  write_forward(w, k, j,
                inner || k->waits ? RM_FOR_TAPE_AND_OUTPUT : RM_FOR_TAPE);
  int64_t above = (input ? input_slots(d, k->s) : 0) +
                  in_slots(d, stage->tape_bytes) -
                  (stage->tapes_output ? in_slots(d, stage->output_bytes) : 0);
  if (inner)
    write_task(w, (Task){k->waits, stage->tapes_output, j + 1, k->t},
               slots - above);
  else if (k->waits)
    write_backward(w, k->t + 1);
  Task rest = {left && stage->reads_input, k->holds, k->s, j - 1};
  if (!rest.waits)
    write_backward(w, j);
  return rest;
}

static void write_task(Writer *w, Task k, int64_t slots) {
  const Tables *d = w->tables;
  while (k.t >= k.s) {
    Cell cell = *cell_of(d, &k, slots);
    int32_t j = cell.j + k.s;
    switch (cell.how) {
    case KEEP_TAPE:
      k = write_keep_tape(w, &k, j, slots);
      break;
    case KEEP_OUTPUT:
      write_forward(w, &k, j, RM_FOR_OUTPUT);
      write_task(w, (Task){k.waits, false, j + 1, k.t},
                 slots - input_slots(d, k.s));
      k = (Task){false, k.holds, k.s, j};
      break;
    default:
      if (k.t == k.s || !d->stages[k.t].reads_input)
        write_backward(w, k.t);
      k = (Task){k.t > k.s && d->stages[k.t].reads_input, k.holds, k.s,
                 k.t - 1};
    }
  }
}

static RmSchedule write_schedule(const Tables *d, const Task *whole,
                                 int64_t slots, RmPool *pool) {
  const RmChain *c = d->chain;
  Writer w = {.tables = d, .pool = pool, .next = c->border};
  for (int i = 0; i < RM_NUM_RUNS; ++i)
    w.replay[i] = RM_NEW_ARRAY(pool, RmIntVec, c->count);
  write_task(&w, *whole, slots);
  for (; w.next < (int32_t)c->graph->ops.count; ++w.next)
    rm_vec_push(pool, &w.steps, w.next);
  return (RmSchedule){w.steps.items, (int32_t)w.steps.count};
}

/* The cheapest plan within `bytes`, or that of the fewest within them. */
static RmSchedule solve(const RmChain *c, int64_t bytes, bool takes_all,
                        int64_t work, RmPool *pool) {
  Task whole = {false, false, 0, c->count - 1};
  RmPool *scratch = rm_pool_branch(pool);
  Tables d = create(c, bytes, work, scratch);
  RmSchedule found = {0};
  solve_all(&d);
  int64_t slots = takes_all ? d.slots : 0;
  while (slots < d.slots && cell_of(&d, &whole, slots)->cost >= NEVER)
    ++slots;
  if (cell_of(&d, &whole, slots)->cost < NEVER)
    found = write_schedule(&d, &whole, slots, pool);
  rm_pool_destroy(scratch);
  return found;
}

RmSchedule rm_chain_plan(const RmChain *c, int64_t budget, int64_t most_bytes,
                         int64_t work, RmPool *pool) {
  RmSchedule found = solve(c, budget, true, work, pool);
  if (!found.steps && most_bytes > budget)
    found = solve(c, most_bytes, false, work, pool);
  return found;
}
