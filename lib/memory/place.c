/* lib/memory/place.c - offsets for buffers: bound, portfolio, improvement.
 *
 * The lower bound comes first; every stage ends the moment it is met, for then
 * the placement is proven best. A portfolio of first-fit and best-fit orders
 * gives a good placement of any number of buffers; small sets are then searched
 * exactly and larger ones improved, by amounts of work that depend on `effort`
 * only, so that equal inputs give equal answers on every machine.
 *
 * Invariant: the best placement found so far is always a valid one, unless
 * buffers with fixed offsets overlap among themselves. */

#include "memory/packing.h"

#include "support/require.h"

#include <stdlib.h>

/* By effort: numbers that the exact search may look at, and placements of items
 * by the improvement. */
static const struct Amount {
  int64_t search, placements;
} amounts[] = {
    {0, 0},
    {200000000, 300000},
    {4000000000, 3000000},
    {40000000000, 30000000},
};

/* The exact search calls itself for each item. */
enum { MOST_SEARCHED = 4000 };

static int compare_ticks(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/* The number of ticks below `tick`. */
static int32_t rank(const int64_t *ticks, int32_t count, int64_t tick) {
  int32_t low = 0, high = count;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (ticks[middle] < tick)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Only ticks at which a life starts matter: what meets meets at one of them. */
static void rank_ticks(RmPacking *p) {
  int64_t *ticks = RM_NEW_ARRAY(p->pool, int64_t, p->count + 1);
  for (int32_t i = 0; i < p->count; ++i)
    ticks[i] = p->buffers[p->buffer[i]].lower;
  qsort(ticks, (size_t)p->count, sizeof *ticks, compare_ticks);
  for (int32_t i = 0; i < p->count; ++i)
    if (!i || ticks[i] != ticks[p->num_ticks - 1])
      ticks[p->num_ticks++] = ticks[i];
  for (int32_t i = 0; i < p->count; ++i) {
    const RmBuffer *b = &p->buffers[p->buffer[i]];
    p->lower[i] = rank(ticks, p->num_ticks, b->lower);
    p->upper[i] = rank(ticks, p->num_ticks, b->upper);
  }
}

static void require_sound(const RmBuffer *b) {
  rm_require(b->lower < b->upper, "lower < upper");
  rm_require(b->size >= 0, "a size of 0 or more");
  rm_require(b->alignment >= 0 && !(b->alignment & (b->alignment - 1)),
             "an alignment that is a power of two");
  rm_require(b->fixed >= -1, "a fixed offset of 0 or more, or -1");
}

static RmPacking pack(const RmBuffer *buffers, int32_t count, RmPool *pool) {
  RmPacking p = {.pool = pool, .buffers = buffers, .grain = INT64_MAX};
  p.buffer = RM_NEW_ARRAY(pool, int32_t, count);
  p.lower = RM_NEW_ARRAY(pool, int32_t, count);
  p.upper = RM_NEW_ARRAY(pool, int32_t, count);
  p.size = RM_NEW_ARRAY(pool, int64_t, count);
  p.alignment = RM_NEW_ARRAY(pool, int64_t, count);
  p.fixed = RM_NEW_ARRAY(pool, int64_t, count);
  for (int32_t i = 0; i < count; ++i) {
    const RmBuffer *b = &buffers[i];
    require_sound(b);
    if (!b->size)
      continue;
    int32_t item = p.count++;
    p.buffer[item] = i;
    p.alignment[item] = b->alignment ? b->alignment : 1;
    p.fixed[item] = b->fixed;
    p.grain = p.alignment[item] < p.grain ? p.alignment[item] : p.grain;
  }
  for (int32_t i = 0; i < p.count; ++i)
    p.size[i] = rm_align_up(rm_packing_bytes(&p, i), p.grain);
  rank_ticks(&p);
  p.lower_bound = rm_load_bound(&p);
  return p;
}

static void try_rules(RmPacking *p, RmFit *fit, int effort,
                      RmBestPlacement *best) {
  int64_t *offsets = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  int32_t *order = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  int32_t rules = rm_packing_num_rules(effort, p->count);
  for (int32_t r = 0; r < rules && best->arena > p->lower_bound; ++r) {
    bool best_fit = rm_packing_rule_is_best_fit(r);
    int32_t count = rm_packing_order(p, r, order);
    int64_t arena =
        rm_fit_run(fit, order, count, best_fit, best->arena, offsets);
    if (arena >= best->arena)
      continue;
    RmBestPlacement better = {offsets, arena, order, count, best_fit};
    offsets = best->offsets, order = best->order;
    *best = better;
  }
}

static RmBestPlacement solve(RmPacking *p, int effort) {
  RmBestPlacement best = {RM_NEW_ARRAY(p->pool, int64_t, p->count), INT64_MAX,
                          RM_NEW_ARRAY(p->pool, int32_t, p->count), 0, false};
  const struct Amount *amount = &amounts[effort];
  RmFit *fit = rm_fit_create(p);
  try_rules(p, fit, effort, &best);
  if (best.arena > p->lower_bound && p->count <= MOST_SEARCHED)
    rm_canonical_search(p, amount->search, &best);
  if (best.arena > p->lower_bound)
    rm_squeaky_wheel(p, fit, amount->placements, &best);
  return best;
}

/* A buffer without bytes holds any offset, but it must be a legal one. */
static void place_empty(const RmBuffer *buffers, int32_t count,
                        RmPlacement *placement) {
  for (int32_t i = 0; i < count; ++i) {
    if (buffers[i].size || buffers[i].fixed < 0)
      continue;
    placement->offsets[i] = buffers[i].fixed;
    if (buffers[i].fixed > placement->arena)
      placement->arena = buffers[i].fixed;
    if (buffers[i].fixed > placement->lower_bound)
      placement->lower_bound = buffers[i].fixed;
  }
}

RmPlacement rm_memory_place(const RmBuffer *buffers, int32_t count, int effort,
                            RmPool *pool) {
  rm_require(effort >= 0 && effort <= 3, "an effort of 0 to 3");
  RmPlacement placement = {RM_NEW_ARRAY(pool, int64_t, count), 0, 0};
  RmPacking packing = pack(buffers, count, pool);
  if (packing.count) {
    RmBestPlacement best = solve(&packing, effort);
    for (int32_t i = 0; i < packing.count; ++i)
      placement.offsets[packing.buffer[i]] = best.offsets[i];
    placement.arena = best.arena;
    placement.lower_bound = packing.lower_bound;
  }
  place_empty(buffers, count, &placement);
  return placement;
}
