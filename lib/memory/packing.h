/* lib/memory/packing.h - what the packers of this folder share.
 *
 * Buffers that lie together are one item; reserved bytes are fixed items that
 * live always and come last. Ticks become ranks of the starts of lives that an
 * end follows: what meets meets at one of them. Sizes are rounded up to the
 * grain, of which all alignments and borders are multiples, so that towers of
 * items have no slits. Buffers of size 0 are left out everywhere. */
#ifndef RM_MEMORY_PACKING_H
#define RM_MEMORY_PACKING_H

#include "memory/memory.h"

typedef struct RmSegment { /* of the life of an item */
  int32_t lower, upper;
  int64_t size, bytes; /* size: rounded to the grain */
} RmSegment;

typedef struct RmApart { /* from another item, whatever their lives */
  int32_t item;
  int64_t rise; /* as rm_packing_rise, for the other above this one */
} RmApart;

typedef struct RmPacking {
  RmPool *pool;
  const RmMemoryProblem *problem;
  int32_t count;     /* of items */
  int32_t num_taken; /* of them, at the end: reserved bytes */
  int32_t num_ticks;
  int64_t grain;
  int32_t *item; /* by buffer; -1: no bytes, its offset is `empty` */
  int64_t *empty;
  int32_t *lower, *upper; /* the hull of the life */
  RmSegment *segments;    /* those of item i: first_segment[i]... */
  int32_t *first_segment;
  int64_t *size;  /* the largest of its segments, rounded to the grain */
  int64_t *bytes; /* the same without rounding */
  int64_t *life;  /* in true ticks */
  int64_t *alignment;
  int64_t *fixed; /* or -1 */
  int32_t *bank;  /* or -1 */
  RmApart *apart; /* those of item i: first_apart[i]... */
  int32_t *first_apart;
  bool is_plain;       /* one segment each, nothing apart */
  bool is_impossible;  /* there is no placement */
  int64_t lower_bound; /* before the arena is aligned */
} RmPacking;

static inline int64_t rm_align_up(int64_t value, int64_t alignment) {
  return (value + alignment - 1) & -alignment;
}

static inline bool rm_packing_is_taken(const RmPacking *p, int32_t item) {
  return item >= p->count - p->num_taken;
}

/* What an item at `offset` needs of the arena. */
static inline int64_t rm_packing_top(const RmPacking *p, int32_t item,
                                     int64_t offset) {
  return rm_packing_is_taken(p, item) ? 0 : offset + p->bytes[item];
}

/* pack.c */
RmPacking *rm_packing_create(const RmMemoryProblem *problem, RmPool *pool);

/* By buffer: the first of those that lie together with it. */
int32_t *rm_memory_leaders(const RmMemoryProblem *problem, RmPool *pool);

/* sound.c: aborts where the problem is none. */
void rm_memory_require_sound(const RmMemoryProblem *problem);

#define RM_NOWHERE INT64_MAX

/* legal.c: the first offset from `offset` on that alignment, banks and a fixed
 * offset allow; RM_NOWHERE if there is none. */
int64_t rm_packing_legal(const RmPacking *packing, int32_t item,
                         int64_t offset);

/* If `above` lies over `below`, how far its offset is over the other's at
 * least; 0 if the two may share bytes. */
int64_t rm_packing_rise(const RmPacking *packing, int32_t below, int32_t above);

/* Whether an item has no place, or two fixed ones have one. */
bool rm_packing_is_hopeless(const RmPacking *packing);

/* load.c: no placement has a smaller arena. */
int64_t rm_load_bound(const RmPacking *packing);

/* range-max.c: greatest values of ranges of at most `most` entries. Ranges lie
 * within [lower, upper) of the last fill and are not empty. */
typedef struct RmRangeMax {
  int64_t **levels;
  int32_t num_levels, lower;
} RmRangeMax;
RmRangeMax rm_range_max_create(RmPool *pool, int32_t most);
void rm_range_max_fill(RmRangeMax *maxima, const int64_t *values, int32_t lower,
                       int32_t upper);
int64_t rm_range_max(const RmRangeMax *maxima, int32_t lower, int32_t upper);

/* packing-orders.c: the rules of the portfolio, the most useful first, and how
 * many of them to try on `count` items; that of a name, or -1. */
int32_t rm_packing_num_rules(int effort, int32_t count);
int32_t rm_packing_find_rule(const char *name);
bool rm_packing_rule_is_best_fit(int32_t rule);
/* Writes all items without a fixed offset, in the order of the rule. */
int32_t rm_packing_order(const RmPacking *packing, int32_t rule,
                         int32_t *order);

/* fit.c: places items one by one, each in the lowest gap that holds it, or the
 * smallest. One RmFit serves any number of runs. */
typedef struct RmFit RmFit;
RmFit *rm_fit_create(const RmPacking *packing);
/* The arena, and `offsets` by item; RM_NOWHERE as soon as an item would reach
 * `limit` or beyond, or has no place at all. Fixed items come first. */
int64_t rm_fit_run(RmFit *fit, const int32_t *order, int32_t count,
                   bool best_fit, int64_t limit, int64_t *offsets);

/* fit-pairs.c: where a gap finder that looks at all pairs puts `item` beside
 * those `placed`, in the lowest gap. */
typedef struct RmPairFit RmPairFit;
RmPairFit *rm_pair_fit_create(const RmPacking *packing);
void rm_pair_fit_clear(RmPairFit *fit);
int64_t rm_pair_fit_find(RmPairFit *fit, int32_t item, const int64_t *offsets);
void rm_pair_fit_place(RmPairFit *fit, int32_t item);

/* The best placement so far, by item. */
typedef struct RmBestPlacement {
  int64_t *offsets;
  int64_t arena; /* not aligned; RM_NOWHERE if there is none yet */
} RmBestPlacement;

/* blocks.c: items that fit together exactly are one, in one of some styles. The
 * smaller problem has a load at each tick that is no larger than the greatest
 * of the packing; offsets of its buffers give those of the items, and their
 * arena. Only where the packing is plain and has no banks. */
enum { RM_NUM_BLOCK_STYLES = 2 };
typedef struct RmBlocks RmBlocks;
RmBlocks *rm_blocks_assemble(const RmPacking *packing, int style, RmPool *pool);
RmMemoryProblem rm_blocks_problem(RmBlocks *blocks);
int64_t rm_blocks_spread(RmBlocks *blocks, const int64_t *left,
                         int64_t *offsets);

/* squeaky-wheel.c: improves `best` by about `work` placements of items. */
void rm_squeaky_wheel(const RmPacking *packing, RmFit *fit, int64_t work,
                      RmBestPlacement *best);

/* canonical-search.c: improves `best` and the bound of `packing`, looking at
 * about `work` numbers. */
void rm_canonical_search(RmPacking *packing, int64_t work,
                         RmBestPlacement *best);

/* canonical-orders.c: orders of items to branch by. `pending` by tick: bytes
 * that are not placed yet. */
enum { RM_NUM_BRANCH_ORDERS = 10 };
typedef struct RmBranchOrder {
  const RmPacking *packing;
  const int64_t *pending;
  struct RmRanked *room;
  RmRangeMax maxima; /* of `pending` */
  int64_t *sums;     /* the same: sums[t] is that of the ticks before t */
  int which;
  uint32_t seed; /* of orders with noise */
} RmBranchOrder;
RmBranchOrder rm_branch_order_create(const RmPacking *packing,
                                     const int64_t *pending);
int rm_branch_order_of_turn(uint32_t turn, bool is_large);
void rm_branch_order_sort(RmBranchOrder *order, int32_t *items, int32_t count);

/* place.c: as rm_memory_place without `unfit`. */
RmPlacement rm_memory_solve(const RmMemoryProblem *problem, int effort,
                            RmPool *pool);

/* The arena, aligned as the problem wants it. */
int64_t rm_packing_arena(const RmPacking *packing, int64_t top);

/* Whether an arena that ends at `top`, RM_NOWHERE if there is none, leaves
 * something to look for: it is neither best nor as small as was asked for, nor
 * is what was asked for too small. */
bool rm_packing_is_open(const RmPacking *packing, int64_t top);

/* Whether it is proven that the capacity, or any arena, is too small. */
static inline bool rm_placement_cannot_fit(const RmMemoryProblem *problem,
                                           const RmPlacement *placement) {
  return placement->lower_bound == INT64_MAX ||
         (problem->capacity && placement->lower_bound > problem->capacity);
}

/* unfit.c: a set of buffers that cannot be placed, though without any of them
 * the rest can, as far as the search can tell. */
void rm_memory_find_unfit(const RmMemoryProblem *problem, int effort,
                          RmPlacement *placement, RmPool *pool);

#endif
