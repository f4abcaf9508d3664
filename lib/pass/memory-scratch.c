/* lib/pass/memory-scratch.c - temporaries in results that are not yet written.
 *
 * A result that the caller lends holds nothing until the function first touches
 * it. Until then it can hold a temporary of its element type, from its first
 * byte on, one after the other. Temporaries that are alive where most bytes are
 * come first, larger ones before smaller ones; each takes the smallest result
 * that has room for it during its life.
 *
 * Invariant: what is borrowed is given back before the result is touched, or by
 * the op that writes the result over it in place (memory-in-place.c). */

#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>

typedef struct Span {
  int64_t lower, upper;
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
  int64_t *alive; /* bytes, by tick */
  int64_t ticks;
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
    b->ticks = a->upper > b->ticks ? a->upper : b->ticks;
    Slot slot = {.result = i};
    Candidate candidate = {i, 0, a->bytes};
    if (mlirOperationIsNull(a->op))
      rm_vec_push(p->pool, &b->slots, slot);
    else
      rm_vec_push(p->pool, &b->candidates, candidate);
  }
}

static void count_alive(Borrowing *b) {
  b->alive = RM_NEW_ARRAY(b->p->pool, int64_t, b->ticks + 1);
  for (size_t i = 0; i < b->candidates.count; ++i) {
    const RmAllocation *a = at(b, b->candidates.items[i].number);
    b->alive[a->lower] += a->bytes;
    b->alive[a->upper] -= a->bytes;
  }
  for (int64_t t = 1; t <= b->ticks; ++t)
    b->alive[t] += b->alive[t - 1];
}

static void measure(Borrowing *b, Candidate *c) {
  const RmAllocation *a = at(b, c->number);
  for (int64_t t = a->lower; t < a->upper; ++t)
    c->height = b->alive[t] > c->height ? b->alive[t] : c->height;
}

static int compare(const void *left, const void *right) {
  const Candidate *a = left, *b = right;
  if (a->height != b->height)
    return a->height > b->height ? -1 : 1;
  if (a->bytes != b->bytes)
    return a->bytes > b->bytes ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static MlirType element_of(const RmAllocation *a) {
  return mlirShapedTypeGetElementType(mlirValueGetType(a->value));
}

static bool has_room(Borrowing *b, const Slot *slot, int32_t number) {
  const RmAllocation *result = at(b, slot->result), *a = at(b, number);
  bool is_heir = b->p->heirs[number] == slot->result;
  if (result->bytes < a->bytes || (a->upper > result->lower && !is_heir) ||
      a->alignment > b->p->alignment ||
      !mlirAttributeEqual(result->space, a->space) ||
      !mlirTypeEqual(element_of(result), element_of(a)))
    return false;
  for (size_t i = 0; i < slot->taken.count; ++i)
    if (slot->taken.items[i].lower < a->upper &&
        a->lower < slot->taken.items[i].upper)
      return false;
  return true;
}

static void borrow(Borrowing *b, const Candidate *c) {
  const RmAllocation *a = at(b, c->number);
  Slot *best = NULL;
  for (size_t i = 0; i < b->slots.count; ++i)
    if (has_room(b, &b->slots.items[i], c->number) &&
        (!best ||
         at(b, b->slots.items[i].result)->bytes < at(b, best->result)->bytes))
      best = &b->slots.items[i];
  if (!best)
    return;
  b->p->borrowed_from[c->number] = best->result;
  Span span = {a->lower, a->upper};
  rm_vec_push(b->p->pool, &best->taken, span);
}

void rm_memory_borrow_results(RmMemoryPlanner *p) {
  Borrowing b = {.p = p};
  p->borrowed_from = RM_NEW_ARRAY(p->pool, int32_t, p->lives.allocations.count);
  collect(&b);
  count_alive(&b);
  for (size_t i = 0; i < b.candidates.count; ++i)
    measure(&b, &b.candidates.items[i]);
  if (b.candidates.count)
    qsort(b.candidates.items, b.candidates.count, sizeof *b.candidates.items,
          compare);
  for (size_t i = 0; i < b.candidates.count; ++i)
    borrow(&b, &b.candidates.items[i]);
}
