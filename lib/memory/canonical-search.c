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
 * A part of more than a few thousand items is not searched as a whole: some
 * hundreds are placed for good, again and again, until the rest falls to
 * pieces. Most large sets do so soon.
 *
 * Invariant: what is placed and taken back leaves no trace but `offsets`. */

#include "memory/canonical.h"
#include "support/divisor.h"

#include <string.h>

/* Asked for in each turn besides the bound. */
enum { MORE_CAPACITIES = 1 };

/* Items of a part that is searched; a larger one is made smaller for good. */
enum { MOST_SEARCHED = 2000 };

/* Placed in one step then, unless more is to be undone by it. */
enum { MOST_COMMITTED = 500, MOST_LIFTS = 2000000 };

/* Listed at a time; few are ever tried. */
enum { MOST_CHOICES = 16 };

typedef RmSearchItem Item;
typedef RmSearchChoice Choice;
typedef RmSearchPart Part;
typedef RmSearch Search;

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
    if (s->items[i].rest >= RM_PLACED || s->first[i] >= upper ||
        s->after[i] <= lower)
      continue;
    RmOldRank old = {i, s->items[i].rank};
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
    RmOldRank old = s->ranks.items[--s->ranks.count];
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
  bool is_cut = rm_search_unlink_ticks(s, c.item);
  Part rest = *part;
  rest.from = c.offset, rest.last = c.rank, --rest.live;
  if (s->horizon &&
      (is_cut || rest.live <= s->horizon || s->lifts.count > MOST_LIFTS)) {
    s->reached = rest, s->reached_cut = is_cut;
    return s->is_for_good = true;
  }
  bool placed = is_cut ? place_pieces(s, &rest) : search_part(s, &rest);
  if (!s->is_for_good)
    rm_search_link_ticks(s, c.item);
  return placed;
}

static bool try_choice(Search *s, const Part *part, Choice c, bool *is_free) {
  size_t lifts = s->lifts.count, changes = s->changes.count;
  if (rm_search_refuse(s, rm_packing_top(s->packing, c.item, c.offset)))
    return false;
  rm_search_put(s, c);
  bool placed = rm_search_lift_others(s, part, c.item, c.offset, is_free) &&
                place_others(s, part, c);
  if (!s->is_for_good)
    rm_search_take_back(s, c.item, lifts, changes);
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
    if (s->items[i].rest < RM_PLACED)
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
    if (rest >= RM_PLACED)
      continue;
    if (rest + item->size < lowest_top)
      lowest_top = rest + item->size;
    Choice c = {rest, item->rank, i};
    if (rest >= lowest_top || !is_before(&last, &c))
      continue;
    if (rest != s->row || rm_search_is_of_row(s, item))
      add_choice(s, first, c);
    else
      s->has_cut = true;
  }
  while (s->choices.count > first &&
         s->choices.items[s->choices.count - 1].offset >= lowest_top)
    --s->choices.count;
}

static bool is_too_high(Search *s, Part *part, int64_t offset) {
  if (offset <= part->highest)
    return false;
  part->highest = rm_search_highest_start(s, part);
  return rm_search_refuse(s, s->capacity + offset - part->highest);
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
  bool placed = !part.live;
  s->row = -1;
  bool is_done = placed || (s->asks_to_fill && !rm_search_fills_rows(s, &part));
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
    s->row = -1; /* the marks are those of another part by now */
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
  s->lifts.count = s->changes.count = s->skies.count = 0;
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

static bool place_all(Search *s) {
  const RmPacking *p = s->packing;
  rm_search_start_over(s);
  Part all = {0, s->members.count, s->members.count, 0, p->num_ticks, 0, -1,
              -1};
  bool placed =
      rm_search_ticks_hold(s, 0, p->num_ticks) && place_pieces(s, &all);
  s->lifts.count = s->changes.count = s->skies.count = 0;
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

/* Where every arena is a multiple of something, the next one above. */
static int64_t next_arena(const RmPacking *p, int64_t capacity) {
  int64_t unit = p->num_taken || p->problem->bank_bytes ? 1 : 0;
  for (int32_t i = 0; i < p->count && unit != 1; ++i) {
    bool is_odd = p->fixed[i] >= 0 || p->bytes[i] != p->size[i];
    unit = is_odd ? 1 : rm_common_divisor(unit, p->size[i]);
    if (p->alignment[i] > 1)
      unit = rm_common_divisor(unit, p->alignment[i]);
  }
  return unit ? (capacity / unit + 1) * unit : capacity + 1;
}

/* Asks for an arena of `capacity`, in at most `limit` nodes: true if there is
 * one. A search that ended without an answer raises the bound: to the least
 * arena that was refused, or, if rows that cannot be filled were a reason, by
 * as little as may be. */
static bool ask(Search *s, int64_t capacity, int64_t limit,
                RmBestPlacement *best) {
  RmPacking *p = s->packing;
  s->nodes = limit;
  s->capacity = capacity;
  s->refused = best->arena;
  s->has_cut = false;
  if (place_all(s)) {
    memcpy(best->offsets, s->offsets, (size_t)p->count * sizeof *s->offsets);
    best->arena = arena_of(s);
    return true;
  }
  if (s->nodes <= 0)
    return false;
  p->lower_bound = s->has_cut ? next_arena(p, capacity) : s->refused;
  p->is_impossible = !s->has_cut && s->refused == RM_NOWHERE;
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
  return best->arena == RM_NOWHERE ? RM_PLACED / 2
                                   : rm_packing_arena(p, p->lower_bound);
}

static bool is_open(const Search *s, const RmBestPlacement *best) {
  return rm_packing_is_open(s->packing, best->arena) && s->work < s->most_work;
}

/* Rows are asked to be filled only at first: without that, what was refused
 * tells by how much the bound can be raised. */
static void ask_for_bound(Search *s, int64_t limit, RmBestPlacement *best) {
  const RmPacking *p = s->packing;
  int64_t capacity = first_capacity(p, best);
  s->asks_to_fill = p->is_plain && p->count <= MOST_SEARCHED;
  bool placed = ask(s, capacity, limit, best);
  s->asks_to_fill = false;
  if (!placed && s->nodes > 0 && s->has_cut &&
      rm_packing_is_open(p, best->arena))
    ask(s, capacity, limit, best);
}

/* One order, one limit, a few capacities. */
static void take_turn(Search *s, int64_t limit, int more,
                      RmBestPlacement *best) {
  const RmPacking *p = s->packing;
  ask_for_bound(s, limit, best);
  for (int k = 0; k < more && !p->problem->capacity;) {
    if (!is_open(s, best) || best->arena == RM_NOWHERE)
      return;
    int64_t capacity = pick_capacity(p, best, s->picks++);
    k += capacity <= p->lower_bound || !ask(s, capacity, limit, best);
  }
}

void rm_canonical_search(RmPacking *p, int64_t work, RmBestPlacement *best) {
  Search s = rm_search_begin(p, work);
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
  s.capacity = RM_PLACED;
  rm_search_clip_reserved(&s);
}
