/* lib/pass/memory-scratch.c - temporaries in results that are not yet written.
 *
 * A result that the caller lends holds nothing until the function first touches
 * it. Until then it can hold temporaries of any type, side by side and one
 * after the other. Temporaries that are alive where most bytes are come first,
 * larger ones before smaller ones; each takes the smallest result that has room
 * for it during its life, at the lowest place.
 *
 * Invariant: what is borrowed is given back before the result is touched, or by
 * the op that writes the result over it in place (memory-in-place.c), which
 * needs it at the first byte. */

#include "pass/memory-planner.h"

#include <stdlib.h>

typedef struct Span {
  int64_t lower, upper; /* life */
  int64_t begin, end;   /* bytes */
} Span;

typedef struct Slot {
  int32_t result;
  RM_VEC(Span) taken;
} Slot;

typedef struct Candidate {
  int32_t number;
  int64_t height; /* most bytes alive during its life */
  int64_t bytes;
} Candidate;

typedef struct Borrowing {
  RmMemoryPlanner *p;
  RM_VEC(Slot) slots;
  RM_VEC(Candidate) candidates;
  RmBytesAlive alive;
} Borrowing;

static RmAllocation *at(Borrowing *b, int32_t i) {
  return &b->p->lives.allocations.items[i];
}

static void collect(Borrowing *b) {
  RmMemoryPlanner *p = b->p;
  for (int32_t i = 0; i < (int32_t)p->lives.allocations.count; ++i) {
    const RmAllocation *a = at(b, i);
    p->borrowed_from[i] = -1;
    if (a->left || p->shares[i] != i)
      continue;
    Slot slot = {.result = i};
    Candidate candidate = {i, 0, a->bytes};
    if (mlirOperationIsNull(a->op))
      rm_vec_push(p->pool, &b->slots, slot);
    else
      rm_vec_push(p->pool, &b->candidates, candidate);
  }
}

static void measure(Borrowing *b, Candidate *c) {
  const RmAllocation *a = at(b, c->number);
  for (int64_t t = a->lower; t < a->upper; ++t)
    c->height = b->alive.at[t] > c->height ? b->alive.at[t] : c->height;
}

static int compare(const void *left, const void *right) {
  const Candidate *a = left, *b = right;
  if (a->height != b->height)
    return a->height > b->height ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

/* That of the result, whose caller aligns it as the arena is. */
static int64_t alignment_of(Borrowing *b, const Slot *slot) {
  int64_t own = at(b, slot->result)->alignment;
  return own > b->p->alignment ? own : b->p->alignment;
}

/* Whether the result may hold the temporary at all. */
static bool may_hold(Borrowing *b, const Slot *slot, int32_t number) {
  const RmAllocation *result = at(b, slot->result), *a = at(b, number);
  bool is_heir = b->p->heirs[number] == slot->result;
  return result->bytes >= a->bytes && (a->upper <= result->lower || is_heir) &&
         a->alignment <= alignment_of(b, slot) &&
         mlirAttributeEqual(result->space, a->space);
}

/* The lowest byte from which on the slot is free during the temporary's life;
 * each that is in the way moves it up. */
static int64_t lowest_place(Borrowing *b, const Slot *slot, int32_t number) {
  const RmAllocation *a = at(b, number);
  int64_t place = 0, alignment = alignment_of(b, slot);
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < slot->taken.count; ++i) {
      const Span *span = &slot->taken.items[i];
      if (span->lower >= a->upper || a->lower >= span->upper ||
          span->begin >= place + a->bytes || place >= span->end)
        continue;
      place = (span->end + alignment - 1) & -alignment;
      moved = true;
    }
  }
  return place;
}

static bool has_room(Borrowing *b, const Slot *slot, int32_t number,
                     int64_t *place) {
  if (!may_hold(b, slot, number))
    return false;
  const RmAllocation *result = at(b, slot->result), *a = at(b, number);
  *place = lowest_place(b, slot, number);
  return *place + a->bytes <= result->bytes &&
         (!*place || b->p->heirs[number] != slot->result);
}

static void borrow(Borrowing *b, const Candidate *c) {
  const RmAllocation *a = at(b, c->number);
  Slot *best = NULL;
  int64_t best_place = 0, place;
  for (size_t i = 0; i < b->slots.count; ++i) {
    Slot *slot = &b->slots.items[i];
    if (best && at(b, slot->result)->bytes >= at(b, best->result)->bytes)
      continue;
    if (!has_room(b, slot, c->number, &place))
      continue;
    best = slot;
    best_place = place;
  }
  if (!best)
    return;
  b->p->borrowed_from[c->number] = best->result;
  b->p->borrowed_at[c->number] = best_place;
  Span span = {a->lower, a->upper, best_place, best_place + a->bytes};
  rm_vec_push(b->p->pool, &best->taken, span);
}

void rm_memory_borrow_results(RmMemoryPlanner *p) {
  Borrowing b = {.p = p};
  p->borrowed_from = RM_NEW_ARRAY(p->pool, int32_t, p->lives.allocations.count);
  p->borrowed_at = RM_NEW_ARRAY(p->pool, int64_t, p->lives.allocations.count);
  collect(&b);
  b.alive = rm_memory_alive(&p->lives, p->shares, p->pool);
  for (size_t i = 0; i < b.candidates.count; ++i)
    measure(&b, &b.candidates.items[i]);
  if (b.candidates.count)
    qsort(b.candidates.items, b.candidates.count, sizeof *b.candidates.items,
          compare);
  for (size_t i = 0; i < b.candidates.count; ++i)
    borrow(&b, &b.candidates.items[i]);
}
