/* lib/plan/excess.h - bytes over the budget at each slot of a schedule.
 *
 * A slot holds a step or is empty. Adding bytes to a run of slots is what a
 * search does all day, so it is a plain loop over an array that compilers turn
 * into vector code. Slots stand in blocks: a block that stays within the budget
 * is shifted as a whole in constant time, and only blocks where some step is
 * over the budget, or comes to be, are walked.
 *
 * Invariant: area = sum over the slots with a step of what is over the budget.
 */
#ifndef RM_PLAN_EXCESS_H
#define RM_PLAN_EXCESS_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

enum { RM_EXCESS_BLOCK = 128 };

/* Bytes below any budget: an empty slot is never over it. */
#define RM_EXCESS_EMPTY ((int64_t)1 << 61)

typedef struct RmExcess {
  int32_t slots, capacity;
  int64_t *over;  /* by slot, less the shift of its block */
  int64_t *shift; /* by block */
  int64_t *most;  /* by block: no slot of it is further over the budget */
  int64_t area;
  int64_t work; /* counted effort so far */
} RmExcess;

/* All slots are empty; what is alive at each, in bytes, is `held`. */
void rm_excess_reset(RmExcess *excess, const int64_t *held, int32_t slots,
                     int64_t budget, RmPool *pool);

/* Adds `bytes`, of either sign, to the slots first..last; none if last is
 * below first. */
void rm_excess_add(RmExcess *excess, int32_t first, int32_t last,
                   int64_t bytes);

/* By how much the area would fall without `bytes` in the slots first..last. */
int64_t rm_excess_relief(RmExcess *excess, int32_t first, int32_t last,
                         int64_t bytes);

/* A step with that workspace comes to stand in an empty slot, or leaves. */
void rm_excess_occupy(RmExcess *excess, int32_t slot, int64_t workspace);
void rm_excess_vacate(RmExcess *excess, int32_t slot, int64_t workspace);

/* The step in `slot` moves to `to`, an empty slot next to it; `alone` are the
 * bytes that leave `slot` with it. */
void rm_excess_move(RmExcess *excess, int32_t slot, int32_t to, int64_t alone);

/* Bytes over the budget; far below zero where no step stands. */
static inline int64_t rm_excess_at(const RmExcess *excess, int32_t slot) {
  return excess->over[slot] + excess->shift[slot / RM_EXCESS_BLOCK];
}

/* The first slot over the budget from `slot` on, around the end; -1: none. */
int32_t rm_excess_find(RmExcess *excess, int32_t slot);

/* The fullest slot, the first of equals. */
int32_t rm_excess_fullest(const RmExcess *excess);

#endif
