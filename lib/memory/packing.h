/* lib/memory/packing.h - what the packers of this folder share.
 *
 * Ticks become ranks 0..num_ticks-1 of the distinct starts of lives: what meets
 * meets at one of them. Sizes are rounded up to the least alignment of all
 * buffers (the grain), so that towers of buffers have no slits. Buffers of size
 * 0 are left out everywhere. */
#ifndef RM_MEMORY_PACKING_H
#define RM_MEMORY_PACKING_H

#include "memory/memory.h"

typedef struct RmPacking {
  RmPool *pool;
  const RmBuffer *buffers;
  int32_t count; /* of packed items, at most that of the buffers */
  int32_t num_ticks;
  int64_t grain;
  int32_t *buffer; /* by item: the buffer it is */
  int32_t *lower, *upper;
  int64_t *size; /* rounded to the grain */
  int64_t *alignment;
  int64_t *fixed; /* or -1 */
  int64_t lower_bound;
} RmPacking;

static inline int64_t rm_align_up(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & -alignment;
}

/* The true bytes of an item, without rounding. */
static inline int64_t rm_packing_bytes(const RmPacking *p, int32_t item) {
  return p->buffers[p->buffer[item]].size;
}

static inline int64_t rm_packing_top(const RmPacking *p, int32_t item,
                                     int64_t offset) {
  return offset + rm_packing_bytes(p, item);
}

/* load.c: no placement has a smaller arena. */
int64_t rm_load_bound(const RmPacking *packing);

/* packing-orders.c: the rules of the portfolio, the most useful first, and how
 * many of them to try on `count` items. */
int32_t rm_packing_num_rules(int effort, int32_t count);
bool rm_packing_rule_is_best_fit(int32_t rule);
/* Writes all items without a fixed offset, in the order of the rule. */
int32_t rm_packing_order(const RmPacking *packing, int32_t rule,
                         int32_t *order);

/* fit.c: places items one by one, each in the lowest gap that holds it, or the
 * smallest. One RmFit serves any number of runs. */
typedef struct RmFit RmFit;
RmFit *rm_fit_create(const RmPacking *packing);
/* The arena, and `offsets` by item; INT64_MAX as soon as an item would reach
 * `limit` or beyond. Fixed items come first. */
int64_t rm_fit_run(RmFit *fit, const int32_t *order, int32_t count,
                   bool best_fit, int64_t limit, int64_t *offsets);

/* The best placement so far, by item. */
typedef struct RmBestPlacement {
  int64_t *offsets;
  int64_t arena;
  int32_t *order; /* that gave it */
  int32_t count;
  bool best_fit;
} RmBestPlacement;

/* squeaky-wheel.c: improves `best` by about `work` placements of items. */
void rm_squeaky_wheel(const RmPacking *packing, RmFit *fit, int64_t work,
                      RmBestPlacement *best);

/* canonical-search.c: improves `best` and the bound of `packing`, looking at
 * about `work` numbers. */
void rm_canonical_search(RmPacking *packing, int64_t work,
                         RmBestPlacement *best);

#endif
