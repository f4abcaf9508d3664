/* lib/memory/canonical-search.c - the smallest arena, by branch and bound.
 *
 * Pushing every item down in the order of offsets gives a placement that is no
 * worse, in which each item stands on another, on a border or on the ground. So
 * it is enough to place items in non-decreasing order of offset, each right
 * upon what it meets (Moffitt, MiniMalloc, ASPLOS 2023). Where no unplaced item
 * crosses a tick, both sides are searched apart, each by an order of its own. A
 * partial placement is given up when some tick can no longer hold what must
 * still be placed there, or when an unplaced item would fit wholly below the
 * next offset. Of several items that fit at the lowest offset the one first in
 * a static order is tried first. The orders take turns with growing limits.
 *
 * We ask for an arena of the lower bound first, for it is usually there, and
 * then for some between it and the best one known. If nothing was cut off by a
 * limit, the least arena that was refused on the way is a new bound.
 *
 * Nothing here grows with the number of pairs that meet, so that large problems
 * can be searched too: most of those fall to pieces after a few placements.
 *
 * Invariants: `rest[i]` is where item i would stand upon the placed items, and
 * PLACED once it is one. `witness[t]` is an unplaced item alive at tick t that
 * stands low enough for all that is pending there, or the sentinel if nothing
 * is: so most ticks are checked by one look. */

#include "memory/packing.h"
#include "support/vec.h"

#include <string.h>

#define PLACED (INT64_MAX / 4)

/* Sentinels behind the items: one that always stands low enough, and one that
 * never does. */
#define NOTHING_LEFT(s) ((s)->packing->count)
#define NOT_LOOKED_FOR(s) ((s)->packing->count + 1)

/* Asked for in each turn besides the bound. */
enum { MORE_CAPACITIES = 1 };

/* Items at most of which we list all pairs that meet. */
enum { MOST_LISTED = 2000 };

/* Items of a part that is searched; a larger one is made smaller for good. */
enum { MOST_SEARCHED = 2000 };

/* Placed in one step then, unless more is to be undone by it. */
enum { MOST_COMMITTED = 500, MOST_LIFTS = 2000000 };

/* Listed at a time; few are ever tried. */
enum { MOST_CHOICES = 16 };

typedef struct Item { /* all that is often needed of one, side by side */
  int64_t rest, size;
  int32_t lower, upper;
  int32_t rank;   /* its place in the order of its part */
  int32_t duties; /* ticks it is the witness of */
} Item;

typedef struct Choice {
  int64_t offset;
  int32_t rank, item;
} Choice;

typedef struct Lift { /* to undo a change of `rest` */
  int64_t rest;
  int32_t item;
} Lift;

typedef struct Rank {
  int32_t item, rank;
} Rank;

typedef struct Change { /* to undo one of `witness` */
  int32_t tick, witness;
} Change;

/* `live` unplaced items, by rank among members[first...], that no other
 * unplaced ones link to; all lie in the ticks [lower, upper). The last one
 * placed among them had the rank `last` and the offset `from`. */
typedef struct Part {
  size_t first, count, live;
  int32_t lower, upper;
  int64_t from,
      highest; /* at `highest` or below all that is pending may start */
  int32_t last;
} Part;

typedef struct Search {
  RmPacking *packing;
  Item *items;          /* and two sentinels */
  int64_t *rises;       /* by pair, unless the packing is plain */
  int32_t *others;      /* items that meet, by item: those of item i are ... */
  int32_t *first_other; /* others[first_other[i]]...; null if they are many */
  int32_t *covers;      /* items, by node of a tree over ticks: ... */
  int32_t *first_cover; /* those of node n are covers[first_cover[n]]... */
  int32_t leaves;       /* of the tree; a tick's node is leaves + tick */
  int32_t *first, *after; /* by item: the ticks it links */
  int64_t *offsets;
  int64_t *pending, *limit; /* by tick: bytes to be placed, and where they must
                               end: the capacity and the rounding of one item */
  int32_t *witness, *links; /* links: items that cross to the next tick */
  size_t horizon;   /* if not 0: an end is where so many items are left, */
  Part reached;     /* as here, */
  bool reached_cut; /* or where these fall to pieces */
  bool is_for_good; /* nothing is to be undone */
  RM_VEC(Lift) lifts;
  RM_VEC(Change) changes;
  RM_VEC(Choice) choices; /* of all levels, one behind the other */
  RmIntVec members;       /* the same for unplaced items */
  RM_VEC(Rank) ranks;     /* to undo a change of `rank` */
  RmBranchOrder order;
  int64_t capacity, refused; /* the least arena that was refused */
  int64_t nodes;             /* left of those that may be visited */
  int64_t work, most_work;   /* numbers looked at */
  uint32_t picks;            /* of capacities */
} Search;

/*===-- What meets what ---------------------------------------------------===*/

static void list_rises(Search *s) {
  const RmPacking *p = s->packing;
  s->rises = RM_NEW_ARRAY(p->pool, int64_t, (size_t)p->count * p->count);
  for (int32_t i = 0; i < p->count; ++i)
    for (int32_t j = 0; j < p->count; ++j)
      if (i != j)
        s->rises[(size_t)i * p->count + j] = rm_packing_rise(p, i, j);
}

/* 0 if the two may share bytes. */
static int64_t rise_of(const Search *s, int32_t below, int32_t above) {
  if (s->rises)
    return s->rises[(size_t)below * s->packing->count + above];
  const Item *a = &s->items[below], *b = &s->items[above];
  return a->lower < b->upper && b->lower < a->upper ? a->size : 0;
}

/* Only shortens the way: rise_of has the answer. */
static void list_meetings(Search *s) {
  const RmPacking *p = s->packing;
  RmIntVec others = {0};
  if (p->count > MOST_LISTED)
    return;
  s->first_other = RM_NEW_ARRAY(p->pool, int32_t, p->count + 1);
  for (int32_t i = 0; i < p->count; ++i) {
    for (int32_t j = 0; j < p->count; ++j)
      if (i != j && rise_of(s, i, j))
        rm_vec_push(p->pool, &others, j);
    s->first_other[i + 1] = (int32_t)others.count;
  }
  s->others = others.items;
}

/* Each segment is the union of a few nodes: counts it at each or lists it. */
static void cover(Search *s, int32_t item, const RmSegment *segment,
                  bool count_only) {
  int32_t a = segment->lower + s->leaves, b = segment->upper + s->leaves;
  for (; a < b; a /= 2, b /= 2) {
    int32_t nodes[2] = {a & 1 ? a++ : 0, b & 1 ? --b : 0};
    for (int k = 0; k < 2; ++k)
      if (nodes[k] && count_only)
        s->first_cover[nodes[k] + 2]++;
      else if (nodes[k])
        s->covers[s->first_cover[nodes[k] + 1]++] = item;
  }
}

static void list_covers(Search *s) {
  const RmPacking *p = s->packing;
  for (s->leaves = 1; s->leaves < p->num_ticks;)
    s->leaves *= 2;
  s->first_cover = RM_NEW_ARRAY(p->pool, int32_t, 2 * s->leaves + 2);
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t i = 0; i < p->count; ++i)
      for (int32_t k = p->first_segment[i]; k < p->first_segment[i + 1]; ++k)
        cover(s, i, &p->segments[k], !pass);
    for (int32_t n = 0; !pass && n <= 2 * s->leaves; ++n)
      s->first_cover[n + 1] += s->first_cover[n];
    if (!pass)
      s->covers =
          RM_NEW_ARRAY(p->pool, int32_t, s->first_cover[2 * s->leaves + 1]);
  }
}

/* An item links the ticks of its life and of what must be apart from it. */
static void find_links(Search *s) {
  const RmPacking *p = s->packing;
  s->first = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  s->after = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    s->first[i] = p->lower[i], s->after[i] = p->upper[i];
    for (int32_t k = p->first_apart[i]; k < p->first_apart[i + 1]; ++k) {
      int32_t other = p->apart[k].item;
      if (p->lower[other] < s->first[i])
        s->first[i] = p->lower[other];
      if (p->upper[other] > s->after[i])
        s->after[i] = p->upper[other];
    }
  }
}

static void reset_items(Search *s) {
  const RmPacking *p = s->packing;
  for (int32_t i = 0; i < p->count; ++i)
    s->items[i] = (Item){0, p->size[i], p->lower[i], p->upper[i], 0, 0};
  s->items[NOTHING_LEFT(s)] = (Item){.rest = -PLACED};
  s->items[NOT_LOOKED_FOR(s)] = (Item){.rest = PLACED, .duties = p->num_ticks};
}

static Search begin(RmPacking *p, int64_t work) {
  Search s = {.packing = p, .most_work = work};
  s.items = RM_NEW_ARRAY(p->pool, Item, p->count + 2);
  if (!p->is_plain)
    list_rises(&s);
  reset_items(&s);
  list_meetings(&s);
  list_covers(&s);
  find_links(&s);
  s.offsets = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.pending = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.limit = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.witness = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s.links = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s.order = rm_branch_order_create(p, s.pending);
  return s;
}

/*===-- Giving up ---------------------------------------------------------===*/

static bool refuse(Search *s, int64_t arena) {
  if (arena <= s->capacity)
    return false;
  s->refused = arena < s->refused ? arena : s->refused;
  return true;
}

static void bear_witness(Search *s, int32_t tick, int32_t item) {
  Change change = {tick, s->witness[tick]};
  rm_vec_push(s->packing->pool, &s->changes, change);
  s->witness[tick] = item;
  --s->items[change.witness].duties;
  ++s->items[item].duties;
}

/* False if all that is pending stands too high. */
static bool find_witness(Search *s, int32_t tick) {
  int64_t lowest = PLACED, most = s->limit[tick] - s->pending[tick];
  for (int32_t node = tick + s->leaves; node; node /= 2) {
    const int32_t *i = s->covers + s->first_cover[node];
    const int32_t *end = s->covers + s->first_cover[node + 1];
    s->work += end - i;
    for (; i < end; ++i) {
      if (s->items[*i].rest <= most)
        return bear_witness(s, tick, *i), true;
      lowest = s->items[*i].rest < lowest ? s->items[*i].rest : lowest;
    }
  }
  if (lowest < PLACED)
    return !refuse(s, s->capacity + lowest - most);
  return bear_witness(s, tick, NOTHING_LEFT(s)), true;
}

static bool ticks_hold(Search *s, int32_t lower, int32_t upper) {
  s->work += upper - lower;
  for (int32_t t = lower; t < upper; ++t)
    if (s->items[s->witness[t]].rest + s->pending[t] > s->limit[t] &&
        !find_witness(s, t))
      return false;
  return true;
}

/* The highest offset at which what is pending in `part` may start. */
static int64_t highest_start(Search *s, const Part *part) {
  int64_t highest = INT64_MAX;
  s->work += part->upper - part->lower;
  for (int32_t t = part->lower; t < part->upper; ++t)
    if (s->limit[t] - s->pending[t] < highest)
      highest = s->limit[t] - s->pending[t];
  return highest;
}

/*===-- Placing -----------------------------------------------------------===*/

static void lift(Search *s, int32_t item, int64_t rest) {
  Lift old = {s->items[item].rest, item};
  rm_vec_push(s->packing->pool, &s->lifts, old);
  s->items[item].rest = rest;
}

/* Those that may meet `item`: its own list, or all of the part. */
static const int32_t *list_others(const Search *s, const Part *part,
                                  int32_t item, size_t *count) {
  *count = part->count;
  if (!s->others)
    return s->members.items + part->first;
  size_t own = (size_t)(s->first_other[item + 1] - s->first_other[item]);
  if (own >= *count)
    return s->members.items + part->first;
  *count = own;
  return s->others + s->first_other[item];
}

/* False if an item has no place, or a tick no room left. `*is_free`: nothing
 * unplaced meets the item. */
static bool lift_others(Search *s, const Part *part, int32_t item,
                        int64_t offset, bool *is_free) {
  const RmPacking *p = s->packing;
  Item it = s->items[item];
  int32_t begin = it.duties ? it.lower : p->num_ticks;
  int32_t end = it.duties ? it.upper : 0;
  size_t count;
  const int32_t *others = list_others(s, part, item, &count);
  *is_free = true;
  s->work += (int64_t)count;
  for (size_t k = 0; k < count; ++k) {
    const Item *other = &s->items[others[k]];
    int64_t rest = other->rest;
    if (rest >= PLACED || (rest >= offset + it.size && !*is_free))
      continue;
    int64_t rise = rise_of(s, item, others[k]);
    *is_free &= !rise;
    if (!rise || rest >= offset + rise)
      continue;
    rest = rm_packing_legal(p, others[k], offset + rise);
    if (rest == RM_NOWHERE)
      return false;
    lift(s, others[k], rest);
    if (!other->duties)
      continue;
    begin = other->lower < begin ? other->lower : begin;
    end = other->upper > end ? other->upper : end;
  }
  return ticks_hold(s, begin, end);
}

static void add_pending(Search *s, int32_t item, int64_t sign) {
  const RmPacking *p = s->packing;
  for (int32_t k = p->first_segment[item]; k < p->first_segment[item + 1]; ++k)
    for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
      s->pending[t] += sign * p->segments[k].size;
}

static void undo_to(Search *s, size_t lifts, size_t changes) {
  while (s->lifts.count > lifts) {
    Lift old = s->lifts.items[--s->lifts.count];
    s->items[old.item].rest = old.rest;
  }
  while (s->changes.count > changes) {
    Change old = s->changes.items[--s->changes.count];
    --s->items[s->witness[old.tick]].duties;
    ++s->items[old.witness].duties;
    s->witness[old.tick] = old.witness;
  }
}

/* Whether some tick is linked to the next one no more. */
static bool unlink_ticks(Search *s, int32_t item) {
  bool cut = false;
  for (int32_t t = s->first[item]; t + 1 < s->after[item]; ++t)
    cut |= --s->links[t] == 0;
  return cut;
}

static void link_ticks(Search *s, int32_t item) {
  for (int32_t t = s->first[item]; t + 1 < s->after[item]; ++t)
    ++s->links[t];
}

/*===-- Parts -------------------------------------------------------------===*/

static bool place_part(Search *s, const Part *part);
static bool search_part(Search *s, const Part *outer);

/* The unplaced items of `part` in [lower, upper), in an order of their own. */
static Part make_piece(Search *s, const Part *part, int32_t lower,
                       int32_t upper) {
  RmPool *pool = s->packing->pool;
  size_t first = s->members.count;
  rm_vec_reserve(pool, &s->members, first + part->count);
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    if (s->items[i].rest >= PLACED || s->first[i] >= upper ||
        s->after[i] <= lower)
      continue;
    Rank old = {i, s->items[i].rank};
    rm_vec_push(pool, &s->ranks, old);
    s->members.items[s->members.count++] = i;
  }
  size_t count = s->members.count - first;
  rm_branch_order_sort(&s->order, s->members.items + first, (int32_t)count);
  for (size_t k = 0; k < count; ++k)
    s->items[s->members.items[first + k]].rank = (int32_t)k;
  return (Part){first, count, count, lower, upper, part->from, -1, -1};
}

/* Its items have the ranks again that they had before. */
static void drop_piece(Search *s, const Part *piece, size_t saved) {
  while (s->ranks.count > saved) {
    Rank old = s->ranks.items[--s->ranks.count];
    s->items[old.item].rank = old.rank;
  }
  s->members.count = piece->first;
}

static bool nothing_is_pending(Search *s, int32_t lower, int32_t upper) {
  int32_t t = lower;
  while (t < upper && !s->pending[t])
    ++t;
  s->work += t - lower;
  return t == upper;
}

/* Divides `part` where nothing links two ticks. */
static bool place_pieces(Search *s, const Part *part) {
  bool placed = true;
  for (int32_t lower = part->lower, upper; lower < part->upper && placed;
       lower = upper) {
    for (upper = lower + 1; upper < part->upper && s->links[upper - 1];)
      ++upper;
    if (nothing_is_pending(s, lower, upper))
      continue;
    size_t saved = s->ranks.count;
    Part piece = make_piece(s, part, lower, upper);
    placed = place_part(s, &piece);
    drop_piece(s, &piece, saved);
  }
  return placed;
}

static bool place_others(Search *s, const Part *part, Choice c) {
  bool is_cut = unlink_ticks(s, c.item);
  Part rest = *part;
  rest.from = c.offset, rest.last = c.rank, --rest.live;
  if (s->horizon &&
      (is_cut || rest.live <= s->horizon || s->lifts.count > MOST_LIFTS)) {
    s->reached = rest, s->reached_cut = is_cut;
    return s->is_for_good = true;
  }
  bool placed = is_cut ? place_pieces(s, &rest) : search_part(s, &rest);
  if (!s->is_for_good)
    link_ticks(s, c.item);
  return placed;
}

static void put(Search *s, Choice c) {
  lift(s, c.item, PLACED);
  s->offsets[c.item] = c.offset;
  add_pending(s, c.item, -1);
}

static void take_back(Search *s, int32_t item, size_t lifts, size_t changes) {
  add_pending(s, item, 1);
  undo_to(s, lifts, changes);
}

static bool try_choice(Search *s, const Part *part, Choice c, bool *is_free) {
  size_t lifts = s->lifts.count, changes = s->changes.count;
  if (refuse(s, rm_packing_top(s->packing, c.item, c.offset)))
    return false;
  put(s, c);
  bool placed = lift_others(s, part, c.item, c.offset, is_free) &&
                place_others(s, part, c);
  if (!s->is_for_good)
    take_back(s, c.item, lifts, changes);
  return placed;
}

/* A list without the placed ones, once those are many. */
static void keep_unplaced(Search *s, Part *part) {
  if (4 * part->live >= 3 * part->count)
    return;
  size_t first = s->members.count;
  rm_vec_reserve(s->packing->pool, &s->members, first + part->live);
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    if (s->items[i].rest < PLACED)
      s->members.items[s->members.count++] = i;
  }
  s->work += (int64_t)part->count;
  part->first = first, part->count = s->members.count - first;
}

static bool is_before(const Choice *a, const Choice *b) {
  return a->offset != b->offset ? a->offset < b->offset : a->rank < b->rank;
}

/* Keeps the first MOST_CHOICES. */
static void add_choice(Search *s, size_t first, Choice c) {
  if (s->choices.count == first + MOST_CHOICES) {
    if (!is_before(&c, &s->choices.items[s->choices.count - 1]))
      return;
    --s->choices.count;
  }
  rm_vec_push(s->packing->pool, &s->choices, c);
  size_t k = s->choices.count - 1;
  for (; k > first && is_before(&c, &s->choices.items[k - 1]); --k)
    s->choices.items[k] = s->choices.items[k - 1];
  s->choices.items[k] = c;
}

/* Adds what may come next behind `last`, by offset; of equal ones the better
 * rank goes first, so that each set is placed once. Where an item would fit
 * wholly below, none may start. */
static void add_choices(Search *s, const Part *part, Choice last) {
  size_t first = s->choices.count;
  int64_t lowest_top = INT64_MAX;
  s->work += (int64_t)part->count;
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    const Item *item = &s->items[i];
    int64_t rest = item->rest;
    if (rest >= PLACED)
      continue;
    if (rest + item->size < lowest_top)
      lowest_top = rest + item->size;
    Choice c = {rest, item->rank, i};
    if (rest < lowest_top && is_before(&last, &c))
      add_choice(s, first, c);
  }
  while (s->choices.count > first &&
         s->choices.items[s->choices.count - 1].offset >= lowest_top)
    --s->choices.count;
}

static bool is_too_high(Search *s, Part *part, int64_t offset) {
  if (offset <= part->highest)
    return false;
  part->highest = highest_start(s, part);
  return refuse(s, s->capacity + offset - part->highest);
}

/* If nothing can stand on the one tried, others do not help. */
static bool try_choices(Search *s, Part *part, size_t first, bool *is_done) {
  bool placed = false, is_free = false;
  size_t end = s->choices.count;
  for (size_t k = first; k < end && !*is_done; ++k) {
    Choice c = s->choices.items[k];
    if (is_too_high(s, part, c.offset))
      *is_done = true;
    else
      placed = try_choice(s, part, c, &is_free);
    *is_done |= placed || is_free || s->nodes <= 0;
  }
  return placed;
}

static bool search_part(Search *s, const Part *outer) {
  size_t first = s->choices.count, member = s->members.count;
  Part part = *outer;
  Choice last = {part.from, part.last, -1};
  bool placed = !part.live, is_done = placed;
  keep_unplaced(s, &part);
  if (s->work > s->most_work)
    s->nodes = 0;
  --s->nodes;
  while (!is_done) {
    add_choices(s, &part, last);
    size_t count = s->choices.count - first;
    if (count)
      last = s->choices.items[s->choices.count - 1];
    placed = try_choices(s, &part, first, &is_done);
    is_done |= count < MOST_CHOICES;
    s->choices.count = first;
  }
  s->members.count = member;
  return placed;
}

/*===-- Large parts -------------------------------------------------------===*/

/* Places some items of `part` for good, until it falls to pieces, which is told
 * by `*is_cut`, or enough are placed to be worth it. */
static bool commit_some(Search *s, Part *part, bool *is_cut) {
  s->horizon = part->live - MOST_COMMITTED;
  bool placed = search_part(s, part);
  s->horizon = 0;
  if (!placed)
    return false;
  part->from = s->reached.from, part->last = s->reached.last;
  part->live = s->reached.live;
  *is_cut = s->reached_cut;
  s->is_for_good = false;
  s->lifts.count = s->changes.count = 0;
  return true;
}

/* A part too large to be searched as a whole gets smaller step by step. If one
 * step cannot be done, we do not come back to those before. */
static bool place_large_part(Search *s, const Part *outer) {
  Part part = *outer;
  bool is_cut = false, placed = true;
  while (placed && !is_cut && part.live > MOST_SEARCHED) {
    keep_unplaced(s, &part);
    placed = commit_some(s, &part, &is_cut);
  }
  if (placed)
    placed = is_cut ? place_pieces(s, &part) : search_part(s, &part);
  if (!placed)
    s->nodes = 0;
  return placed;
}

static bool place_part(Search *s, const Part *part) {
  return part->live > MOST_SEARCHED ? place_large_part(s, part)
                                    : search_part(s, part);
}

/*===-- Asking ------------------------------------------------------------===*/

/* Of reserved bytes only what lies below the capacity is in the way. */
static void clip_reserved(Search *s) {
  RmPacking *p = s->packing;
  for (int32_t i = p->count - p->num_taken; i < p->count; ++i) {
    int64_t size = s->capacity - p->fixed[i];
    size = size < p->bytes[i] ? size : p->bytes[i];
    p->size[i] = p->segments[p->first_segment[i]].size = size > 0 ? size : 0;
  }
}

static void start_over(Search *s) {
  const RmPacking *p = s->packing;
  clip_reserved(s);
  for (int32_t t = 0; t < p->num_ticks; ++t) {
    s->pending[t] = s->links[t] = 0;
    s->limit[t] = s->capacity;
    s->witness[t] = NOT_LOOKED_FOR(s);
  }
  reset_items(s);
  s->members.count = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    s->items[i].rest = p->size[i] ? rm_packing_legal(p, i, 0) : PLACED;
    if (!p->size[i])
      continue;
    rm_vec_push(p->pool, &s->members, i);
    add_pending(s, i, 1);
    link_ticks(s, i);
    for (int32_t k = p->first_segment[i]; k < p->first_segment[i + 1]; ++k) {
      int64_t pad = p->segments[k].size - p->segments[k].bytes;
      for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
        if (s->capacity + pad > s->limit[t])
          s->limit[t] = s->capacity + pad;
    }
  }
}

static bool place_all(Search *s) {
  const RmPacking *p = s->packing;
  start_over(s);
  Part all = {0, s->members.count, s->members.count, 0, p->num_ticks, 0, -1,
              -1};
  bool placed = ticks_hold(s, 0, p->num_ticks) && place_pieces(s, &all);
  s->lifts.count = s->changes.count = 0;
  return placed;
}

static int64_t arena_of(const Search *s) {
  int64_t arena = 0;
  for (int32_t i = 0; i < s->packing->count; ++i) {
    int64_t top = rm_packing_top(s->packing, i, s->offsets[i]);
    arena = top > arena ? top : arena;
  }
  return arena;
}

/* Asks for an arena of `capacity`, in at most `limit` nodes: true if there is
 * one. A search that ended without an answer raises the bound. */
static bool ask(Search *s, int64_t capacity, int64_t limit,
                RmBestPlacement *best) {
  RmPacking *p = s->packing;
  s->nodes = limit;
  s->capacity = capacity;
  s->refused = best->arena;
  if (place_all(s)) {
    memcpy(best->offsets, s->offsets, (size_t)p->count * sizeof *s->offsets);
    best->arena = arena_of(s);
    return true;
  }
  if (s->nodes > 0) { /* nothing was cut off */
    p->lower_bound = s->refused;
    p->is_impossible = s->refused == RM_NOWHERE;
  }
  return false;
}

/* Between the bound and the best arena: where chances are and what is gained
 * differ much, so a little of each. */
static int64_t pick_capacity(const RmPacking *p, const RmBestPlacement *best,
                             uint32_t turn) {
  int64_t parts = 1 + (int64_t)(turn * 2654435761u >> 8) % 15;
  int64_t arena = rm_packing_arena(p, best->arena);
  int64_t step = p->problem->arena_alignment ? p->problem->arena_alignment : 1;
  int64_t gap = arena - p->lower_bound;
  int64_t more = gap / 16 * parts + gap % 16 * parts / 16;
  int64_t capacity = rm_packing_arena(p, p->lower_bound + more);
  return capacity < arena ? capacity : arena - step;
}

static int64_t first_capacity(const RmPacking *p, const RmBestPlacement *best) {
  int64_t step = p->problem->arena_alignment ? p->problem->arena_alignment : 1;
  if (p->problem->capacity)
    return p->problem->capacity & -step;
  return best->arena == RM_NOWHERE ? PLACED / 2
                                   : rm_packing_arena(p, p->lower_bound);
}

static bool is_open(const Search *s, const RmBestPlacement *best) {
  return rm_packing_is_open(s->packing, best->arena) && s->work < s->most_work;
}

/* One order, one limit, a few capacities. */
static void take_turn(Search *s, int64_t limit, int more,
                      RmBestPlacement *best) {
  const RmPacking *p = s->packing;
  ask(s, first_capacity(p, best), limit, best);
  for (int k = 0; k < more && !p->problem->capacity;) {
    if (!is_open(s, best) || best->arena == RM_NOWHERE)
      return;
    int64_t capacity = pick_capacity(p, best, s->picks++);
    k += capacity <= p->lower_bound || !ask(s, capacity, limit, best);
  }
}

void rm_canonical_search(RmPacking *p, int64_t work, RmBestPlacement *best) {
  Search s = begin(p, work);
  bool is_large = p->count > MOST_SEARCHED;
  int64_t limit = 2 * (int64_t)p->count;
  for (uint32_t turn = 0; is_open(&s, best); ++turn) {
    bool is_first = turn < RM_NUM_BRANCH_ORDERS;
    s.order.which = rm_branch_order_of_turn(turn, is_large);
    s.order.seed = turn;
    if (!is_first && turn % RM_NUM_BRANCH_ORDERS == 0)
      limit *= 2;
    take_turn(&s, limit, is_large && is_first ? 0 : MORE_CAPACITIES, best);
  }
  s.capacity = PLACED;
  clip_reserved(&s);
}
