/* lib/memory/canonical.h - a partial placement, as the exact search has it.
 *
 * Items are placed and taken back like on a stack; what that changes is kept on
 * trails. See canonical-search.c for the method.
 *
 * Invariants: the `rest` of an item is where it would stand upon the placed
 * ones, and RM_RM_PLACED once it is one. `witness[t]` is an unplaced item alive
 * at tick t that stands low enough for all that is pending there, or the
 * sentinel if nothing is: so most ticks are checked by one look. */
#ifndef RM_MEMORY_CANONICAL_H
#define RM_MEMORY_CANONICAL_H

#include "memory/packing.h"
#include "support/vec.h"

#define RM_PLACED (INT64_MAX / 4)

/* Sentinels behind the items: one that always stands low enough, and one that
 * never does. */
#define RM_NOTHING_LEFT(s) ((s)->packing->count)
#define RM_NOT_LOOKED_FOR(s) ((s)->packing->count + 1)

typedef struct RmSearchItem { /* all that is often needed of one, side by side
                               */
  int64_t rest, size;
  int32_t lower, upper;
  int32_t rank;   /* its place in the order of its part */
  int32_t duties; /* ticks it is the witness of */
} RmSearchItem;

typedef struct RmSearchChoice {
  int64_t offset;
  int32_t rank, item;
} RmSearchChoice;

typedef struct RmLift { /* to undo a change of `rest` */
  int64_t rest;
  int32_t item;
} RmLift;

typedef struct RmOldRank {
  int32_t item, rank;
} RmOldRank;

typedef struct RmOldWitness { /* to undo one of `witness` */
  int32_t tick, witness;
} RmOldWitness;

/* `live` unplaced items, by rank among members[first...], that no other
 * unplaced ones link to; all lie in the ticks [lower, upper). The last one
 * placed among them had the rank `last` and the offset `from`. */
typedef struct RmSearchPart {
  size_t first, count, live;
  int32_t lower, upper;
  int64_t from,
      highest; /* at `highest` or below all that is pending may start */
  int32_t last;
} RmSearchPart;

typedef struct RmSearch {
  RmPacking *packing;
  RmSearchItem *items; /* and two sentinels */
  int64_t *offsets;    /* by item */

  /* What meets what: does not change. */
  int64_t *rises;  /* by pair, unless the packing is plain */
  int32_t *others; /* items that meet item i: first_other[i]..., or null
                      if the set is large */
  int32_t *first_other;
  int32_t *covers; /* items of node n of the tree: first_cover[n]... */
  int32_t *first_cover;
  int32_t leaves;    /* of the tree; the node of a tick is leaves + tick */
  int32_t *starting; /* items whose life starts at t: first_starting[t]... */
  int32_t *first_starting;
  int32_t *first, *after; /* by item: the ticks it links */

  /* By tick. */
  int64_t *pending; /* bytes to be placed */
  int64_t *limit;   /* where they must end: the capacity and the rounding of
                       one item */
  int32_t *witness;
  int32_t *links; /* items that cross to the next tick */
  int64_t *sky;   /* the top of what is placed, if rows are to be filled */
  bool *covered_to, *covered_from; /* see canonical-rows.c */
  int64_t row;                     /* the floor that these are of, or -1 */

  /* Trails, to undo changes of `rest`, `witness`, `sky` and `rank`. */
  RM_VEC(RmLift) lifts;
  RM_VEC(RmOldWitness) changes;
  RM_VEC(int64_t) skies;
  RM_VEC(RmOldRank) ranks;

  /* Of all levels, one behind the other. */
  RM_VEC(RmSearchChoice) choices;
  RmIntVec members; /* of parts */

  /* The question. */
  RmBranchOrder order;
  int64_t capacity;
  int64_t refused;      /* the least arena that was refused */
  bool asks_to_fill;    /* rows that have to be full are looked at, */
  bool has_cut;         /* and were a reason to give up */
  size_t horizon;       /* if not 0: an end is where so many items are left, */
  RmSearchPart reached; /* as here, */
  bool reached_cut;     /* or where these fall to pieces, */
  bool is_for_good;     /* and nothing is undone behind it */
  int64_t nodes;        /* left of those that may be visited */
  int64_t work, most_work; /* numbers looked at */
  uint32_t picks;          /* of capacities */
} RmSearch;

/*===-- canonical-state.c -------------------------------------------------===*/

RmSearch rm_search_begin(RmPacking *packing, int64_t work);

/* Nothing is placed; `capacity` holds from now on. */
void rm_search_start_over(RmSearch *search);

/* Of reserved bytes only what lies below the capacity is in the way. */
void rm_search_clip_reserved(RmSearch *search);

/* Whether an arena is larger than the capacity; remembers the least that is. */
bool rm_search_refuse(RmSearch *search, int64_t arena);

/* Whether ticks have room left for what is pending there. */
bool rm_search_ticks_hold(RmSearch *search, int32_t lower, int32_t upper);

/* The highest offset at which what is pending in `part` may start. */
int64_t rm_search_highest_start(RmSearch *search, const RmSearchPart *part);

void rm_search_put(RmSearch *search, RmSearchChoice choice);

/* What meets the item just put stands upon it. False if an item then has no
 * place, or a tick no room left. `*is_free`: nothing unplaced meets it. */
bool rm_search_lift_others(RmSearch *search, const RmSearchPart *part,
                           int32_t item, int64_t offset, bool *is_free);

/* Undoes both; the lengths are those of the trails before. */
void rm_search_take_back(RmSearch *search, int32_t item, size_t lifts,
                         size_t changes);

/* Whether some tick is linked to the next one no more. */
bool rm_search_unlink_ticks(RmSearch *search, int32_t item);
void rm_search_link_ticks(RmSearch *search, int32_t item);

/*===-- canonical-rows.c --------------------------------------------------===*/

/* Where no byte may be wasted the lowest row has to be covered from end to end
 * by items that can stand there: false if it cannot be. */
bool rm_search_fills_rows(RmSearch *search, const RmSearchPart *part);

/* Whether an item of the row may be part of that. */
static inline bool rm_search_is_of_row(const RmSearch *s,
                                       const RmSearchItem *item) {
  return s->covered_to[item->lower] && s->covered_from[item->upper];
}

#endif
