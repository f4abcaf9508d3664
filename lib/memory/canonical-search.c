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
 * Invariants: `rest[i]` is where item i would stand upon the placed items, and
 * PLACED once it is one. `witness[t]` is an unplaced item alive at tick t that
 * stands low enough for all that is pending there, or the sentinel if nothing
 * is: so most ticks are checked by one look. */

#include "memory/packing.h"
#include "support/vec.h"

#include <string.h>

#define PLACED (INT64_MAX / 4)

/* Asked for in each turn besides the bound. */
enum { MORE_CAPACITIES = 1 };

typedef struct Conflict {
  int64_t rise; /* see rm_packing_rise */
  int32_t item;
} Conflict;

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

typedef struct Search {
  RmPacking *packing;
  Conflict **conflicts;   /* by item, end with item -1 */
  int32_t **alive;        /* by tick: the items alive, ends with -1 */
  int32_t *first, *after; /* by item: the ticks it links */
  int32_t *rank;          /* by item: its place in the order of its part */
  int64_t *rest, *offsets;
  int64_t *pending, *limit; /* by tick: bytes to be placed, and where they must
                               end: the capacity and the rounding of one item */
  int32_t *witness, *links; /* links: items that cross to the next tick */
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

/* Unplaced items, by rank at members[first...], that no other unplaced ones
 * link to; all lie in the ticks [lower, upper). The last one placed among them
 * had the rank `last` and the offset `from`. */
typedef struct Part {
  size_t first, count;
  int32_t lower, upper;
  int64_t from;
  int32_t last;
} Part;

/*===-- What meets what ---------------------------------------------------===*/

static bool may_conflict(const RmPacking *p, int32_t a, int32_t b) {
  return !p->is_plain ||
         (p->lower[a] < p->upper[b] && p->lower[b] < p->upper[a]);
}

static void list_conflicts(Search *s) {
  const RmPacking *p = s->packing;
  Conflict *found = RM_NEW_ARRAY(p->pool, Conflict, p->count);
  s->conflicts = RM_NEW_ARRAY(p->pool, Conflict *, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    int32_t n = 0;
    for (int32_t j = 0; j < p->count; ++j) {
      int64_t rise =
          i != j && may_conflict(p, i, j) ? rm_packing_rise(p, i, j) : 0;
      if (rise)
        found[n++] = (Conflict){rise, j};
    }
    s->conflicts[i] = RM_NEW_ARRAY(p->pool, Conflict, n + 1);
    memcpy(s->conflicts[i], found, (size_t)n * sizeof *found);
    s->conflicts[i][n].item = -1;
  }
}

static void list_alive(Search *s) {
  const RmPacking *p = s->packing;
  int32_t *count = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s->alive = RM_NEW_ARRAY(p->pool, int32_t *, p->num_ticks);
  for (int32_t k = 0; k < p->first_segment[p->count]; ++k)
    for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
      count[t]++;
  for (int32_t t = 0; t < p->num_ticks; ++t) {
    s->alive[t] = RM_NEW_ARRAY(p->pool, int32_t, count[t] + 1);
    s->alive[t][count[t]] = -1;
  }
  for (int32_t i = 0; i < p->count; ++i)
    for (int32_t k = p->first_segment[i]; k < p->first_segment[i + 1]; ++k)
      for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
        s->alive[t][--count[t]] = i;
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

static Search begin(RmPacking *p, int64_t work) {
  Search s = {.packing = p, .most_work = work};
  list_conflicts(&s);
  list_alive(&s);
  find_links(&s);
  s.rank = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  s.rest = RM_NEW_ARRAY(p->pool, int64_t, p->count + 1);
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
}

/* False if all that is pending stands too high. */
static bool find_witness(Search *s, int32_t tick) {
  int64_t lowest = PLACED, most = s->limit[tick] - s->pending[tick];
  const int32_t *i = s->alive[tick];
  for (; *i >= 0 && s->rest[*i] > most; ++i)
    lowest = s->rest[*i] < lowest ? s->rest[*i] : lowest;
  s->work += i - s->alive[tick];
  if (*i < 0 && lowest < PLACED)
    return !refuse(s, s->capacity + lowest - most);
  bear_witness(s, tick, *i < 0 ? s->packing->count : *i);
  return true;
}

static bool ticks_hold(Search *s, int32_t lower, int32_t upper) {
  s->work += upper - lower;
  for (int32_t t = lower; t < upper; ++t)
    if (s->rest[s->witness[t]] + s->pending[t] > s->limit[t] &&
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
  Lift old = {s->rest[item], item};
  rm_vec_push(s->packing->pool, &s->lifts, old);
  s->rest[item] = rest;
}

/* False if an item has no place, or a tick no room left. `*is_free`: nothing
 * unplaced meets the item. */
static bool lift_neighbours(Search *s, int32_t item, int64_t offset,
                            bool *is_free) {
  const RmPacking *p = s->packing;
  int32_t begin = p->lower[item], end = p->upper[item];
  const Conflict *c = s->conflicts[item];
  *is_free = true;
  for (; c->item >= 0; ++c) {
    int64_t rest = s->rest[c->item];
    *is_free &= rest >= PLACED;
    if (rest >= offset + c->rise)
      continue;
    rest = rm_packing_legal(p, c->item, offset + c->rise);
    if (rest == RM_NOWHERE)
      return false;
    lift(s, c->item, rest);
    begin = p->lower[c->item] < begin ? p->lower[c->item] : begin;
    end = p->upper[c->item] > end ? p->upper[c->item] : end;
  }
  s->work += c - s->conflicts[item];
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
    s->rest[old.item] = old.rest;
  }
  while (s->changes.count > changes) {
    Change old = s->changes.items[--s->changes.count];
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

/* The unplaced items of `part` in [lower, upper), in an order of their own. */
static Part make_piece(Search *s, const Part *part, int32_t lower,
                       int32_t upper) {
  RmPool *pool = s->packing->pool;
  size_t first = s->members.count;
  rm_vec_reserve(pool, &s->members, first + part->count);
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    if (s->rest[i] >= PLACED || s->first[i] >= upper || s->after[i] <= lower)
      continue;
    Rank old = {i, s->rank[i]};
    rm_vec_push(pool, &s->ranks, old);
    s->members.items[s->members.count++] = i;
  }
  size_t count = s->members.count - first;
  rm_branch_order_sort(&s->order, s->members.items + first, (int32_t)count,
                       s->rank);
  return (Part){first, count, lower, upper, part->from, -1};
}

/* Its items have the ranks again that they had before. */
static void drop_piece(Search *s, const Part *piece, size_t saved) {
  while (s->ranks.count > saved) {
    Rank old = s->ranks.items[--s->ranks.count];
    s->rank[old.item] = old.rank;
  }
  s->members.count = piece->first;
}

/* Divides `part` where nothing links two ticks. */
static bool place_pieces(Search *s, const Part *part) {
  bool placed = true;
  for (int32_t lower = part->lower, upper; lower < part->upper && placed;
       lower = upper) {
    for (upper = lower + 1; upper < part->upper && s->links[upper - 1];)
      ++upper;
    size_t saved = s->ranks.count;
    Part piece = make_piece(s, part, lower, upper);
    placed = !piece.count || place_part(s, &piece);
    drop_piece(s, &piece, saved);
  }
  return placed;
}

static bool place_others(Search *s, const Part *part, Choice c) {
  bool is_cut = unlink_ticks(s, c.item);
  Part rest = *part;
  rest.from = c.offset, rest.last = c.rank;
  bool placed = is_cut ? place_pieces(s, &rest) : place_part(s, &rest);
  link_ticks(s, c.item);
  return placed;
}

static bool try_choice(Search *s, const Part *part, Choice c, bool *is_free) {
  const RmPacking *p = s->packing;
  size_t lifts = s->lifts.count, changes = s->changes.count;
  if (refuse(s, rm_packing_top(p, c.item, c.offset)))
    return false;
  lift(s, c.item, PLACED);
  s->offsets[c.item] = c.offset;
  add_pending(s, c.item, -1);
  bool placed =
      lift_neighbours(s, c.item, c.offset, is_free) && place_others(s, part, c);
  add_pending(s, c.item, 1);
  undo_to(s, lifts, changes);
  return placed;
}

/* Keeps the unplaced items of `part`; the lowest offset that no item may start
 * at or above, for the one that gives it would fit below. */
static int64_t keep_unplaced(Search *s, Part *part) {
  const RmPacking *p = s->packing;
  size_t first = s->members.count;
  int64_t lowest_top = INT64_MAX;
  rm_vec_reserve(p->pool, &s->members, first + part->count);
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    int64_t rest = s->rest[i];
    if (rest >= PLACED)
      continue;
    s->members.items[s->members.count++] = i;
    if (rest + p->size[i] < lowest_top)
      lowest_top = rest + p->size[i];
  }
  s->work += (int64_t)part->count;
  part->first = first, part->count = s->members.count - first;
  return lowest_top;
}

/* By offset; of equal ones the better rank goes first, so that each set is
 * placed once. */
static void add_choice(Search *s, size_t first, Choice c) {
  rm_vec_push(s->packing->pool, &s->choices, c);
  size_t k = s->choices.count - 1;
  for (; k > first && s->choices.items[k - 1].offset > c.offset; --k)
    s->choices.items[k] = s->choices.items[k - 1];
  s->choices.items[k] = c;
}

static void add_choices(Search *s, const Part *part, int64_t lowest_top) {
  size_t first = s->choices.count;
  int64_t highest = highest_start(s, part);
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    int64_t rest = s->rest[i];
    if (rest >= lowest_top || rest < part->from ||
        (rest == part->from && s->rank[i] < part->last))
      continue;
    if (!refuse(s, s->capacity + rest - highest))
      add_choice(s, first, (Choice){rest, s->rank[i], i});
  }
}

static bool place_part(Search *s, const Part *outer) {
  size_t first = s->choices.count, member = s->members.count;
  Part part = *outer;
  int64_t lowest_top = keep_unplaced(s, &part);
  if (!part.count)
    return true;
  --s->nodes;
  add_choices(s, &part, lowest_top);
  size_t end = s->choices.count;
  bool placed = false, is_free = false;
  /* If nothing can stand on the one tried, others do not help. */
  for (size_t k = first; k < end && !placed && !is_free && s->nodes > 0; ++k)
    placed = try_choice(s, &part, s->choices.items[k], &is_free);
  if (s->work > s->most_work)
    s->nodes = 0;
  s->choices.count = first;
  s->members.count = member;
  return placed;
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
    s->witness[t] = p->count;
  }
  s->rest[p->count] = -PLACED;
  s->members.count = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    s->rest[i] = p->size[i] ? rm_packing_legal(p, i, 0) : PLACED;
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
  Part all = {0, s->members.count, 0, p->num_ticks, 0, -1};
  for (int32_t t = 0; t < p->num_ticks; ++t)
    s->witness[t] = s->alive[t][0];
  bool placed = ticks_hold(s, 0, p->num_ticks) && place_pieces(s, &all);
  undo_to(s, 0, 0);
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
static void take_turn(Search *s, int64_t limit, RmBestPlacement *best) {
  const RmPacking *p = s->packing;
  ask(s, first_capacity(p, best), limit, best);
  for (int k = 0; k < MORE_CAPACITIES && !p->problem->capacity;) {
    if (!is_open(s, best) || best->arena == RM_NOWHERE)
      return;
    int64_t capacity = pick_capacity(p, best, s->picks++);
    k += capacity <= p->lower_bound || !ask(s, capacity, limit, best);
  }
}

void rm_canonical_search(RmPacking *p, int64_t work, RmBestPlacement *best) {
  Search s = begin(p, work);
  int64_t limit = p->count;
  for (uint32_t turn = 0; is_open(&s, best); ++turn) {
    s.order.which = (int)(turn % RM_NUM_BRANCH_ORDERS);
    s.order.seed = turn;
    if (!s.order.which)
      limit *= 2;
    take_turn(&s, limit, best);
  }
  s.capacity = PLACED;
  clip_reserved(&s);
}
