/* lib/memory/load.c - how small an arena may be at best.
 *
 * The load is the greatest sum of sizes alive at one tick. Where all buffers of
 * a set start at multiples of an alignment, each but the topmost of a tick
 * needs its size rounded up to it, so the rounded sum less the largest rounding
 * of one buffer bounds too. We take the best over the sets "alignment at least
 * a", one for each alignment that occurs. A fixed buffer bounds by its end.
 *
 * Invariant: every number returned holds for every valid placement. */

#include "memory/packing.h"

#include <stdlib.h>

typedef struct Heap { /* roundings of buffers alive, largest on top */
  int64_t *pad;
  int32_t *upper;
  int32_t count;
} Heap;

static void swap_entries(Heap *h, int32_t i, int32_t j) {
  int64_t pad = h->pad[i];
  int32_t upper = h->upper[i];
  h->pad[i] = h->pad[j], h->upper[i] = h->upper[j];
  h->pad[j] = pad, h->upper[j] = upper;
}

static void push(Heap *h, int64_t pad, int32_t upper) {
  int32_t i = h->count++;
  h->pad[i] = pad, h->upper[i] = upper;
  for (; i > 0 && h->pad[(i - 1) / 2] < h->pad[i]; i = (i - 1) / 2)
    swap_entries(h, i, (i - 1) / 2);
}

static void pop(Heap *h) {
  swap_entries(h, 0, --h->count);
  for (int32_t i = 0;;) {
    int32_t child = 2 * i + 1;
    if (child >= h->count)
      return;
    if (child + 1 < h->count && h->pad[child + 1] > h->pad[child])
      child++;
    if (h->pad[child] <= h->pad[i])
      return;
    swap_entries(h, i, child);
    i = child;
  }
}

/* The largest rounding alive at `tick`; 0 if nothing is. */
static int64_t largest_pad(Heap *h, int32_t tick) {
  while (h->count && h->upper[0] <= tick)
    pop(h);
  return h->count ? h->pad[0] : 0;
}

/* Items in the order of their starts, by counting. */
static int32_t *sort_by_start(const RmPacking *p) {
  int32_t *first = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks + 1);
  int32_t *items = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  for (int32_t i = 0; i < p->count; ++i)
    first[p->lower[i] + 1]++;
  for (int32_t t = 0; t < p->num_ticks; ++t)
    first[t + 1] += first[t];
  for (int32_t i = 0; i < p->count; ++i)
    items[first[p->lower[i]]++] = i;
  return items;
}

static int64_t load_of_aligned(const RmPacking *p, const int32_t *by_start,
                               int64_t alignment) {
  int64_t *ends = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks + 1);
  Heap heap = {RM_NEW_ARRAY(p->pool, int64_t, p->count),
               RM_NEW_ARRAY(p->pool, int32_t, p->count), 0};
  int64_t live = 0, bound = 0;
  for (int32_t tick = 0, i = 0; tick < p->num_ticks; ++tick) {
    live -= ends[tick];
    for (; i < p->count && p->lower[by_start[i]] == tick; ++i) {
      int32_t item = by_start[i];
      if (p->alignment[item] < alignment)
        continue;
      int64_t bytes = rm_packing_bytes(p, item);
      int64_t rounded = rm_align_up(bytes, alignment);
      live += rounded;
      ends[p->upper[item]] += rounded;
      push(&heap, rounded - bytes, p->upper[item]);
    }
    int64_t least = live - largest_pad(&heap, tick);
    bound = least > bound ? least : bound;
  }
  return bound;
}

int64_t rm_load_bound(const RmPacking *p) {
  uint64_t alignments = 0; /* powers of two that occur */
  int64_t bound = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    alignments |= (uint64_t)p->alignment[i];
    if (p->fixed[i] >= 0 && rm_packing_top(p, i, p->fixed[i]) > bound)
      bound = rm_packing_top(p, i, p->fixed[i]);
  }
  const int32_t *by_start = sort_by_start(p);
  for (int64_t a = 1; alignments; a *= 2, alignments >>= 1) {
    if (!(alignments & 1))
      continue;
    int64_t load = load_of_aligned(p, by_start, a);
    bound = load > bound ? load : bound;
  }
  return bound;
}
