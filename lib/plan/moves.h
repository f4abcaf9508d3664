/* lib/plan/moves.h - changes of a state that keep it sensible, and their undo.
 *
 * A trail records what was inserted and removed since a mark, so that a change
 * that did not pay can be taken back. The worth of a state is its cost plus
 * `price` for each byte over the budget at each step. */
#ifndef RM_PLAN_MOVES_H
#define RM_PLAN_MOVES_H

#include "plan/state.h"

typedef struct RmMove {
  RmStep rerun;
  RmStep before; /* the step that it stands right before */
  bool inserted; /* else taken out */
} RmMove;

typedef struct RmTrail {
  RmState *state;
  RM_VEC(RmMove) moves;
  double price;          /* of a byte over the budget */
  int32_t max_recompute; /* computations of one op; 0: unlimited */
  int32_t trials;        /* nested trials left in this move */
  RmIntVec chain;        /* scratch */
} RmTrail;

static inline double rm_trail_worth(const RmTrail *trail) {
  return (double)trail->state->cost +
         trail->price * (double)rm_state_area(trail->state);
}

void rm_trail_undo(RmTrail *trail, size_t mark);

/* Makes again what was undone, the earliest first. */
void rm_trail_redo(RmTrail *trail, const RmMove *moves, size_t count);

/* Whether `op` may run again right before the step `before`. */
bool rm_move_is_allowed(const RmTrail *trail, int32_t op, RmStep before);

/* No less than this is what running `op` there adds to the worth. */
double rm_move_least_change(RmTrail *trail, int32_t op, RmStep before);

/* Runs `op` again right before the step `before`; if it runs later in that
 * region, it now runs here. Inputs that this keeps alive for longer are run
 * again there, too, where that is worth more (each such trial is one of
 * trail->trials). Recomputations that lost their readers go. False, and nothing
 * is changed, if it is not allowed. */
bool rm_move_recompute(RmTrail *trail, int32_t op, RmStep before);

/* Takes a recomputation away: its readers read the instance before it. */
void rm_move_keep(RmTrail *trail, RmStep rerun);

/* Moves a recomputation and what is run again for it in its region to right
 * before base step `region`. */
bool rm_move_chain(RmTrail *trail, RmStep run, int32_t region);

#endif
