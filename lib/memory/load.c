/* lib/memory/load.c - how small an arena may be at best.
 *
 * The load is the greatest sum of sizes alive at one tick. Where all buffers of
 * a set start at multiples of an alignment, each but the topmost of a tick
 * needs its size rounded up to it, so the rounded sum less the largest rounding
 * of one buffer bounds too. We take the best over the sets "alignment at least
 * a", one for each alignment that occurs. A fixed buffer bounds by its end.
 * Below the end of what lives at a tick, reserved bytes add to the load of it.
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

typedef struct Load {
  const RmPacking *packing;
  int32_t *segments; /* in the order of their starts */
  int32_t *item;     /* by segment */
  int32_t count;
} Load;

/* By counting. What is reserved is left out. */
static Load sort_by_start(const RmPacking *p) {
  int32_t items = p->count - p->num_taken, all = p->first_segment[items];
  Load load = {p, RM_NEW_ARRAY(p->pool, int32_t, all),
               RM_NEW_ARRAY(p->pool, int32_t, all), all};
  int32_t *first = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks + 1);
  for (int32_t i = 0; i < items; ++i)
    for (int32_t s = p->first_segment[i]; s < p->first_segment[i + 1]; ++s)
      load.item[s] = i, first[p->segments[s].lower + 1]++;
  for (int32_t t = 0; t < p->num_ticks; ++t)
    first[t + 1] += first[t];
  for (int32_t s = 0; s < all; ++s)
    load.segments[first[p->segments[s].lower]++] = s;
  return load;
}

static int64_t load_of_aligned(const Load *load, int64_t alignment) {
  const RmPacking *p = load->packing;
  int64_t *ends = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks + 1);
  Heap heap = {RM_NEW_ARRAY(p->pool, int64_t, load->count),
               RM_NEW_ARRAY(p->pool, int32_t, load->count), 0};
  int64_t live = 0, bound = 0;
  for (int32_t tick = 0, i = 0; tick < p->num_ticks; ++tick) {
    live -= ends[tick];
    for (; i < load->count; ++i) {
      const RmSegment *s = &p->segments[load->segments[i]];
      if (s->lower != tick)
        break;
      if (p->alignment[load->item[load->segments[i]]] < alignment)
        continue;
      int64_t rounded = rm_align_up(s->bytes, alignment);
      live += rounded;
      ends[s->upper] += rounded;
      push(&heap, rounded - s->bytes, s->upper);
    }
    int64_t least = live - largest_pad(&heap, tick);
    bound = least > bound ? least : bound;
  }
  return bound;
}

/* Reserved bytes below the end of what is placed add to it. */
static int64_t jump_reserved(const RmPacking *p, int64_t bound) {
  for (int32_t i = p->count - p->num_taken; i < p->count; ++i)
    if (p->fixed[i] < bound)
      bound += p->size[i];
  return bound;
}

int64_t rm_load_bound(const RmPacking *p) {
  uint64_t alignments = (uint64_t)p->grain; /* powers of two that occur */
  int64_t bound = 0;
  for (int32_t i = 0; i < p->count - p->num_taken; ++i) {
    alignments |= (uint64_t)p->alignment[i];
    if (p->fixed[i] >= 0 && rm_packing_top(p, i, p->fixed[i]) > bound)
      bound = rm_packing_top(p, i, p->fixed[i]);
  }
  Load all = sort_by_start(p);
  for (int64_t a = 1; alignments; a *= 2, alignments >>= 1) {
    if (!(alignments & 1))
      continue;
    int64_t load = load_of_aligned(&all, a);
    if (a == p->grain)
      load = jump_reserved(p, load);
    bound = load > bound ? load : bound;
  }
  return bound;
}
