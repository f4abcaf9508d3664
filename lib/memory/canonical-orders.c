/* lib/memory/canonical-orders.c - which item the exact search tries first.
 *
 * No order is best everywhere, and the time to a solution has a heavy tail, so
 * that many short searches by different orders beat a long one. Crowd first,
 * life first and area first are MiniMalloc's (Moffitt, ASPLOS 2023); orders by
 * the start or the end of lives work through time like a sweep. The crowd is
 * that of what is still to be placed: it changes as the search divides its
 * problem. */

#include "memory/packing.h"

#include <stdlib.h>

typedef enum Key {
  NOTHING,
  CROWD, /* larger greatest load of a tick of the life first */
  LIFE,  /* longer first */
  AREA,  /* larger size times life first */
  SPAN,  /* more ticks first */
  BIRTH, /* earlier first */
  DEATH, /* later first */
  PEERS, /* more bytes still to be placed beside it first */
  NOISE, /* life, times a factor near 1 */
} Key;

static const Key orders[RM_NUM_BRANCH_ORDERS][3] = {
    {CROWD, LIFE, AREA},  {CROWD, AREA, LIFE},  {LIFE, AREA, CROWD},
    {CROWD, BIRTH, AREA}, {CROWD, DEATH, AREA}, {SPAN, AREA, CROWD},
    {BIRTH, AREA},        {DEATH, AREA},        {PEERS, AREA},
    {CROWD, NOISE, AREA},
};

/* In a large set one turn is long, so a sweep through time comes first: it
 * leaves few items unplaced behind it. */
static const int of_large[RM_NUM_BRANCH_ORDERS] = {3, 0, 8, 1, 2,
                                                   4, 5, 6, 7, 9};

int rm_branch_order_of_turn(uint32_t turn, bool is_large) {
  int order = (int)(turn % RM_NUM_BRANCH_ORDERS);
  return is_large ? of_large[order] : order;
}

typedef struct RmRanked {
  double keys[3];
  int32_t item;
} Ranked;

/* The same for equal items and seeds, in [0, 1). */
static double noise(uint32_t seed, int32_t item) {
  uint64_t h = ((uint64_t)seed << 32) + (uint64_t)item;
  h = (h ^ h >> 31) * 0x9E3779B97F4A7C15u;
  h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
  return (double)(h >> 11) * 0x1p-53;
}

/* Larger comes first. */
static double key_of(const RmBranchOrder *o, Key key, int32_t item) {
  const RmPacking *p = o->packing;
  double life = (double)p->life[item];
  switch (key) {
  case CROWD:
    return (double)rm_range_max(&o->maxima, p->lower[item], p->upper[item]);
  case LIFE:
    return life;
  case AREA:
    return life * (double)p->size[item];
  case SPAN:
    return p->upper[item] - p->lower[item];
  case BIRTH:
    return -p->lower[item];
  case DEATH:
    return p->upper[item];
  case PEERS:
    return (double)(o->sums[p->upper[item]] - o->sums[p->lower[item]]);
  case NOISE:
    return life * (1 + 0.3 * noise(o->seed, item));
  case NOTHING:
    break;
  }
  return 0;
}

static int compare(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  for (int k = 0; k < 3; ++k)
    if (a->keys[k] != b->keys[k])
      return a->keys[k] > b->keys[k] ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

RmBranchOrder rm_branch_order_create(const RmPacking *p,
                                     const int64_t *pending) {
  return (RmBranchOrder){.packing = p,
                         .pending = pending,
                         .room = RM_NEW_ARRAY(p->pool, Ranked, p->count),
                         .maxima = rm_range_max_create(p->pool, p->num_ticks),
                         .sums =
                             RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks + 1)};
}

/* So that the crowd of an item is known at a look. */
static void sum_up(RmBranchOrder *o, const int32_t *items, int32_t count) {
  const RmPacking *p = o->packing;
  int32_t lower = p->num_ticks, upper = 0;
  for (int32_t i = 0; i < count; ++i) {
    lower = p->lower[items[i]] < lower ? p->lower[items[i]] : lower;
    upper = p->upper[items[i]] > upper ? p->upper[items[i]] : upper;
  }
  rm_range_max_fill(&o->maxima, o->pending, lower, upper);
  o->sums[lower] = 0;
  for (int32_t t = lower; t < upper; ++t)
    o->sums[t + 1] = o->sums[t] + o->pending[t];
}

void rm_branch_order_sort(RmBranchOrder *o, int32_t *items, int32_t count) {
  if (count)
    sum_up(o, items, count);
  for (int32_t i = 0; i < count; ++i) {
    o->room[i].item = items[i];
    for (int k = 0; k < 3; ++k)
      o->room[i].keys[k] = key_of(o, orders[o->which][k], items[i]);
  }
  if (count)
    qsort(o->room, (size_t)count, sizeof *o->room, compare);
  for (int32_t i = 0; i < count; ++i)
    items[i] = o->room[i].item;
}
