/* lib/plan/state.h - a schedule under change, with its live bytes.
 *
 * The order of first computations is fixed: op t is base step t. A
 * recomputation (u, t) runs op u once more between base steps t-1 and t; those
 * of one t, in any order, form the region of t, and end with t itself. Every
 * schedule that keeps the order of first computations and recomputes nothing
 * twice without a base step in between has this form.
 *
 * Each step stands in a slot; between steps there are empty slots for more. Of
 * each value we keep the slots that make it and those that read it, both
 * sorted. An instance lives from the slot that makes it to the last slot that
 * reads it before the next one that makes it, so inserting or deleting a
 * recomputation costs one range addition per value touched (excess.h). Empty
 * slots know what is alive there, too, so nothing is ever counted anew. Where
 * there is no empty slot, steps move on by one to the next; where none is near,
 * all are laid out anew.
 *
 * Checked against rm_schedule_live by rm_state_check. */
#ifndef RM_PLAN_STATE_H
#define RM_PLAN_STATE_H

#include "graph/graph.h"
#include "plan/excess.h"

typedef struct RmSlots {
  int32_t *at; /* sorted */
  int32_t count, capacity;
} RmSlots;

/* A step is named by its op and region: a base step is (t, t). */
typedef struct RmStep {
  int32_t op, region;
} RmStep;

typedef struct RmTouched { /* the counted values of an op, in a list */
  int32_t first, count;
} RmTouched;

typedef struct RmState {
  const RmGraph *graph;
  RmPool *pool;
  int32_t count; /* base steps */
  int64_t budget, cost;
  int64_t fixed; /* part of the cost: ops that never run again */
  RmExcess excess;
  RM_VEC(RmStep) reruns; /* all recomputations now, in no order */
  int32_t *base;         /* by op: the slot of its base step */
  RmSlots *makes;        /* by op: its slots, the first is its base step's */
  RmSlots *reads;        /* by counted value */
  int32_t *op_at;        /* by slot: the op; -1: empty */
  int32_t *region_at;    /* by slot */
  int32_t *rerun_at;     /* by slot: its place in `reruns` */
  int64_t *held;         /* by slot: scratch of a layout */
  int32_t capacity;      /* of these four */
  RmTouched *inputs, *results; /* by op: counted values, made by an op */
  int32_t *values;             /* the lists of these */
} RmState;

RmState *rm_state_create(const RmGraph *graph, int64_t budget, RmPool *pool);

static inline int64_t rm_state_area(const RmState *s) { return s->excess.area; }

/* The part of the cost in which plans differ, at least 1: what prices are
 * measured by, so that work which is the same in all plans changes none. */
static inline double rm_state_variable_cost(const RmState *s) {
  return s->cost > s->fixed ? (double)(s->cost - s->fixed) : 1;
}

/* Counted effort so far. */
static inline int64_t rm_state_work(const RmState *s) { return s->excess.work; }

static inline RmStep rm_state_step(const RmState *s, int32_t slot) {
  return (RmStep){s->op_at[slot], s->region_at[slot]};
}

/* Runs `op` again right before the step in slot `before`, in whose region it
 * must not be yet, and after its base step. The slots of steps may change. */
void rm_state_insert(RmState *state, int32_t op, int32_t before);

/* Takes the recomputation in `slot` out. */
void rm_state_remove(RmState *state, int32_t slot);

/* The slot of the step after that in `slot`. */
int32_t rm_state_next_step(const RmState *state, int32_t slot);

/* The slot of the run of `op` in `region`; -1 if there is none. */
int32_t rm_state_slot(const RmState *state, int32_t op, int32_t region);

/* The slot of the latest run of `op` up to `slot`. */
int32_t rm_state_latest(const RmState *state, int32_t op, int32_t slot);

/* The instance of `value` that is there after `slot`, made at it or before. */
typedef struct RmSpan {
  int32_t made, last; /* slots; last == made if nothing reads it */
} RmSpan;
RmSpan rm_state_span(const RmState *state, int32_t value, int32_t slot);

bool rm_state_reads(const RmState *state, int32_t value, int32_t slot);

/* The last slot before `slot` that makes or reads that value's instance. */
int32_t rm_state_touched_before(const RmState *state, int32_t value,
                                int32_t slot);

/* The first slot after `slot` in which the instance there after `slot` is read,
 * or -1. */
int32_t rm_state_next_read(const RmState *state, int32_t value, int32_t slot);

/* Whether the run in `slot` has no reader. */
bool rm_state_is_useless(const RmState *state, int32_t slot);

/* Writes the steps' ops, `count + reruns.count` numbers. */
void rm_state_write(const RmState *state, int32_t *steps);

RmSchedule rm_state_schedule(const RmState *state, RmPool *pool);

/* Makes the recomputations those of `schedule`, whose first computations must
 * follow program order; recomputations that no region form has are dropped. */
void rm_state_load(RmState *state, const RmSchedule *schedule);

/* Another budget for the same schedule. */
void rm_state_turn_to(RmState *state, int64_t budget);

/* Recounts from nothing and compares; for assertions and tests. */
bool rm_state_check(const RmState *state, RmPool *pool);

#endif
