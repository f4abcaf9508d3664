/* lib/memory/squeaky-wheel.c - what sticks out is placed earlier next time.
 *
 * Hill climbing on the order of placement: an item that reaches the top of the
 * arena, or one that it rests on, moves to another place in the order, and all
 * is placed again. A result that is not worse is the next to start from. The
 * choices come from a generator with a fixed seed, so equal inputs give equal
 * answers.
 *
 * Invariant: `best` never gets worse. */

#include "memory/packing.h"

#include <stdlib.h>
#include <string.h>

typedef struct Wheel {
  const RmPacking *packing;
  RmBestPlacement *best;
  int64_t *offsets; /* of the attempt */
  int32_t *order;   /* the same */
  int32_t *best_order;
  int32_t count;  /* of both */
  uint64_t state; /* of the generator */
} Wheel;

/* xorshift64*, Vigna 2014; below `bound`. */
static int32_t draw(Wheel *w, int32_t bound) {
  w->state ^= w->state >> 12;
  w->state ^= w->state << 25;
  w->state ^= w->state >> 27;
  return (int32_t)((w->state * 2685821657736338717u >> 33) % (uint32_t)bound);
}

/* One of the movable items that reach the top; -1 if only fixed ones do. */
static int32_t find_top_item(Wheel *w) {
  const RmBestPlacement *best = w->best;
  int32_t found = -1, seen = 0;
  for (int32_t k = 0; k < w->count; ++k) {
    int32_t item = w->best_order[k];
    int64_t top = rm_packing_top(w->packing, item, best->offsets[item]);
    if (top == best->arena && draw(w, ++seen) == 0)
      found = item;
  }
  return found;
}

/* An item that `item` rests on, or `item` if it rests on nothing movable. */
static int32_t step_down(Wheel *w, int32_t item) {
  const RmPacking *p = w->packing;
  const RmBestPlacement *best = w->best;
  int32_t found = item, seen = 0;
  for (int32_t k = 0; k < w->count; ++k) {
    int32_t other = w->best_order[k];
    if (other == item || best->offsets[other] >= best->offsets[item])
      continue;
    int64_t rise = rm_packing_rise(p, other, item);
    int64_t least = best->offsets[other] + rise;
    if (rise && rm_packing_legal(p, item, least) == best->offsets[item] &&
        draw(w, ++seen) == 0)
      found = other;
  }
  return found;
}

static void move_in_order(Wheel *w, int32_t item, int32_t to) {
  int32_t at = 0, *order = w->order;
  while (order[at] != item)
    ++at;
  if (to < at)
    memmove(order + to + 1, order + to, (size_t)(at - to) * sizeof *order);
  else
    memmove(order + at, order + at + 1, (size_t)(to - at) * sizeof *order);
  order[to] = item;
}

static void keep_attempt(Wheel *w, int64_t arena) {
  RmBestPlacement *best = w->best;
  int64_t *offsets = best->offsets;
  best->offsets = w->offsets;
  w->offsets = offsets;
  memcpy(w->best_order, w->order, (size_t)w->count * sizeof *w->order);
  best->arena = arena;
}

typedef struct Entry {
  int64_t offset;
  int32_t item;
} Entry;

static int compare(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* In this order each item finds its offset free, or a lower one. */
static void sort_by_offset(Wheel *w) {
  const RmPacking *p = w->packing;
  Entry *entries = RM_NEW_ARRAY(p->pool, Entry, p->count);
  for (int32_t i = 0; i < p->count; ++i)
    if (p->fixed[i] < 0)
      entries[w->count++] = (Entry){w->best->offsets[i], i};
  if (w->count)
    qsort(entries, (size_t)w->count, sizeof *entries, compare);
  for (int32_t k = 0; k < w->count; ++k)
    w->best_order[k] = entries[k].item;
}

void rm_squeaky_wheel(const RmPacking *p, RmFit *fit, int64_t work,
                      RmBestPlacement *best) {
  Wheel w = {p,
             best,
             RM_NEW_ARRAY(p->pool, int64_t, p->count),
             RM_NEW_ARRAY(p->pool, int32_t, p->count),
             RM_NEW_ARRAY(p->pool, int32_t, p->count),
             0,
             88172645463325252u};
  sort_by_offset(&w);
  for (; work > 0 && rm_packing_is_open(p, best->arena); work -= p->count) {
    int32_t item = find_top_item(&w);
    if (item < 0)
      return;
    for (int32_t steps = draw(&w, 4); steps > 0; --steps)
      item = step_down(&w, item);
    memcpy(w.order, w.best_order, (size_t)w.count * sizeof *w.order);
    move_in_order(&w, item, draw(&w, w.count));
    int64_t arena =
        rm_fit_run(fit, w.order, w.count, false, best->arena + 1, w.offsets);
    if (arena <= best->arena)
      keep_attempt(&w, arena);
  }
}
