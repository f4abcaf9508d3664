/* lib/memory/canonical-search.c - the smallest arena, by branch and bound.
 *
 * Pushing every item down in the order of offsets gives a placement that is no
 * worse, in which each item stands on another, on a fixed one or on the ground.
 * So it is enough to place items in non-decreasing order of offset, each right
 * upon what it meets (Moffitt, MiniMalloc, ASPLOS 2023). Where no unplaced item
 * crosses a tick, both sides are searched apart. A partial placement is given
 * up when some tick can no longer hold what must still be placed there, or when
 * an unplaced item would fit wholly below the next offset. Of several items
 * that fit at the lowest offset the one first in a static order is tried first;
 * some static orders take turns with growing limits.
 *
 * We ask for an arena of the lower bound first. If nothing was cut off by the
 * limit on nodes, the least arena that was refused on the way is a new bound
 * (as in iterative deepening), and we ask for that.
 *
 * Invariant: `rest[i]` is where item i would stand upon the placed items. */

#include "memory/packing.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

typedef struct Choice {
  int64_t offset;
  int32_t rank, item;
} Choice;

typedef struct Saved { /* to undo one placement */
  int64_t *place, value;
} Saved;

typedef struct Search {
  RmPacking *packing;
  int32_t **meets; /* by item: those whose lives meet its own, ends with -1 */
  int32_t *rank;   /* by item: its place in the static order */
  int64_t *rest, *offsets;
  int64_t *placed;                  /* by item: whether */
  int32_t **alive;                  /* by tick: the items alive, ends with -1 */
  int64_t *floor, *pending, *slack; /* by tick: where the lowest unplaced item
                                       would stand; slack: rounding of one */
  RM_VEC(Saved) trail;
  RM_VEC(Choice) choices;    /* of all levels, one behind the other */
  RmIntVec members;          /* the same for unplaced items, by start */
  int64_t capacity, refused; /* the least arena that was refused */
  int64_t nodes;             /* left of those that may be visited */
  int64_t work;              /* numbers looked at so far */
} Search;

/* Unplaced items that no other unplaced ones meet, at members[first...]; the
 * last one placed among them was `last`, at `from`. */
typedef struct Part {
  size_t first, count;
  int64_t from;
  int32_t last;
} Part;

static bool meet(const RmPacking *p, int32_t a, int32_t b) {
  return p->lower[a] < p->upper[b] && p->lower[b] < p->upper[a];
}

static void find_meetings(Search *s) {
  RmPacking *p = s->packing;
  s->meets = RM_NEW_ARRAY(p->pool, int32_t *, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    int32_t n = 0;
    for (int32_t j = 0; j < p->count; ++j)
      n += i != j && meet(p, i, j);
    int32_t *list = s->meets[i] = RM_NEW_ARRAY(p->pool, int32_t, n + 1);
    for (int32_t j = 0; j < p->count; ++j)
      if (i != j && meet(p, i, j))
        *list++ = j;
    *list = -1;
  }
}

static void list_alive(Search *s) {
  const RmPacking *p = s->packing;
  int32_t *count = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s->alive = RM_NEW_ARRAY(p->pool, int32_t *, p->num_ticks);
  for (int32_t i = 0; i < p->count; ++i)
    for (int32_t t = p->lower[i]; t < p->upper[i]; ++t)
      count[t]++;
  for (int32_t t = 0; t < p->num_ticks; ++t) {
    s->alive[t] = RM_NEW_ARRAY(p->pool, int32_t, count[t] + 1);
    s->alive[t][count[t]] = -1;
  }
  for (int32_t i = 0; i < p->count; ++i)
    for (int32_t t = p->lower[i]; t < p->upper[i]; ++t)
      s->alive[t][--count[t]] = i;
}

static Search begin(RmPacking *p) {
  Search s = {.packing = p};
  find_meetings(&s);
  s.rank = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  s.rest = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.offsets = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.placed = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  list_alive(&s);
  s.floor = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.pending = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.slack = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  for (int32_t i = 0; i < p->count; ++i) {
    s.rest[i] = p->fixed[i] >= 0 ? p->fixed[i] : 0;
    int64_t pad = p->size[i] - rm_packing_bytes(p, i);
    for (int32_t t = p->lower[i]; t < p->upper[i]; ++t) {
      s.pending[t] += p->size[i];
      s.slack[t] = pad > s.slack[t] ? pad : s.slack[t];
    }
  }
  return s;
}

/*===-- Static orders -----------------------------------------------------===*/

enum { NUM_ORDERS = 4 };

typedef struct Ranked {
  int64_t keys[3];
  int32_t item;
} Ranked;

static int compare_ranked(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  for (int k = 0; k < 3; ++k)
    if (a->keys[k] != b->keys[k])
      return a->keys[k] > b->keys[k] ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* The largest load of a tick of its life. */
static int64_t crowd_of(const Search *s, const int64_t *load, int32_t item) {
  int64_t most = 0;
  const RmPacking *p = s->packing;
  for (int32_t t = p->lower[item]; t < p->upper[item]; ++t)
    most = load[t] > most ? load[t] : most;
  return most;
}

static void rank_items(Search *s, int order) {
  RmPacking *p = s->packing;
  Ranked *ranked = RM_NEW_ARRAY(p->pool, Ranked, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    int64_t width = p->upper[i] - p->lower[i];
    int64_t crowd = crowd_of(s, s->pending, i);
    int64_t area = width * p->size[i];
    const int64_t keys[NUM_ORDERS][3] = {{crowd, width, area},
                                         {width, crowd, area},
                                         {area, width, crowd},
                                         {crowd, p->size[i], width}};
    ranked[i] = (Ranked){{0}, i};
    memcpy(ranked[i].keys, keys[order], sizeof ranked[i].keys);
  }
  qsort(ranked, (size_t)p->count, sizeof *ranked, compare_ranked);
  for (int32_t r = 0; r < p->count; ++r)
    s->rank[ranked[r].item] = r;
}

/*===-- Giving up ---------------------------------------------------------===*/

static bool refuse(Search *s, int64_t arena) {
  if (arena <= s->capacity)
    return false;
  s->refused = arena < s->refused ? arena : s->refused;
  return true;
}

/* Nothing of the part may start below its `from`. */
static bool ticks_are_full(Search *s, const Part *part) {
  const RmPacking *p = s->packing;
  const int32_t *items = s->members.items + part->first;
  int32_t end = 0;
  for (size_t i = 0; i < part->count; ++i)
    end = p->upper[items[i]] > end ? p->upper[items[i]] : end;
  s->work += end - p->lower[items[0]];
  for (int32_t t = p->lower[items[0]]; t < end; ++t) {
    int64_t floor = s->floor[t] > part->from ? s->floor[t] : part->from;
    if (s->pending[t] && refuse(s, floor + s->pending[t] - s->slack[t]))
      return true;
  }
  return false;
}

static bool crosses_fixed(const Search *s, int32_t item, int64_t offset) {
  const RmPacking *p = s->packing;
  for (const int32_t *m = s->meets[item]; *m >= 0; ++m)
    if (p->fixed[*m] >= 0 && !s->placed[*m] &&
        offset + p->size[item] > p->fixed[*m])
      return true;
  return false;
}

/*===-- Placing -----------------------------------------------------------===*/

static void save(Search *s, int64_t *place) {
  Saved saved = {place, *place};
  rm_vec_push(s->packing->pool, &s->trail, saved);
}

static void undo_to(Search *s, size_t count) {
  while (s->trail.count > count) {
    Saved saved = s->trail.items[--s->trail.count];
    *saved.place = saved.value;
  }
}

static void lift_floor(Search *s, int32_t tick) {
  int64_t floor = INT64_MAX;
  const int32_t *i = s->alive[tick];
  for (; *i >= 0; ++i)
    if (!s->placed[*i] && s->rest[*i] < floor)
      floor = s->rest[*i];
  s->work += i - s->alive[tick];
  if (floor == INT64_MAX || floor == s->floor[tick])
    return;
  save(s, &s->floor[tick]);
  s->floor[tick] = floor;
}

/* False if a fixed item can no longer stand where it must. */
static bool lift_neighbours(Search *s, int32_t item, int64_t top) {
  const RmPacking *p = s->packing;
  bool possible = true;
  int32_t begin = p->lower[item], end = p->upper[item];
  for (const int32_t *m = s->meets[item]; *m >= 0; ++m) {
    if (s->placed[*m] || s->rest[*m] >= top)
      continue;
    save(s, &s->rest[*m]);
    s->rest[*m] = rm_align_up(top, p->alignment[*m]);
    possible &= p->fixed[*m] < 0;
    begin = p->lower[*m] < begin ? p->lower[*m] : begin;
    end = p->upper[*m] > end ? p->upper[*m] : end;
  }
  for (int32_t t = begin; t < end; ++t)
    lift_floor(s, t);
  return possible;
}

static void put(Search *s, int32_t item, int64_t offset) {
  const RmPacking *p = s->packing;
  save(s, &s->placed[item]);
  s->placed[item] = true;
  s->offsets[item] = offset;
  for (int32_t t = p->lower[item]; t < p->upper[item]; ++t) {
    save(s, &s->pending[t]);
    s->pending[t] -= p->size[item];
  }
}

static int compare_choices(const void *left, const void *right) {
  const Choice *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Adds the items that may come next, best first; returns how many. Of equal
 * offsets the better rank goes first, so that each set is placed once. */
static size_t add_choices(Search *s, const Part *part) {
  const RmPacking *p = s->packing;
  size_t before = s->choices.count;
  s->work += (int64_t)part->count;
  int64_t lowest_top = INT64_MAX;
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    if (s->rest[i] + p->size[i] < lowest_top)
      lowest_top = s->rest[i] + p->size[i];
  }
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    int64_t offset = s->rest[i];
    bool too_late =
        offset < part->from || (offset == part->from && part->last >= 0 &&
                                s->rank[i] < s->rank[part->last]);
    if (too_late || offset >= lowest_top || crosses_fixed(s, i, offset))
      continue;
    Choice choice = {offset, s->rank[i], i};
    rm_vec_push(p->pool, &s->choices, choice);
  }
  size_t count = s->choices.count - before;
  if (count)
    qsort(s->choices.items + before, count, sizeof(Choice), compare_choices);
  return count;
}

static bool place_part(Search *s, const Part *part);

/* Splits what is left of `part` without `item` where nothing crosses. */
static bool place_others(Search *s, const Part *part, int32_t item) {
  const RmPacking *p = s->packing;
  size_t first = s->members.count;
  bool placed = true;
  for (size_t k = 0; k < part->count; ++k) {
    int32_t i = s->members.items[part->first + k];
    if (i != item)
      rm_vec_push(p->pool, &s->members, i);
  }
  size_t end = s->members.count;
  for (size_t a = first, b; a < end && placed; a = b) {
    int32_t upper = 0;
    for (b = a; b < end; ++b) {
      int32_t i = s->members.items[b];
      if (b > a && p->lower[i] >= upper)
        break;
      upper = p->upper[i] > upper ? p->upper[i] : upper;
    }
    Part piece = {a, b - a, part->from, part->last};
    placed = !ticks_are_full(s, &piece) && place_part(s, &piece);
  }
  s->members.count = first;
  return placed;
}

static bool try_choice(Search *s, const Part *part, Choice c) {
  const RmPacking *p = s->packing;
  if (refuse(s, rm_packing_top(p, c.item, c.offset)))
    return false;
  size_t trail = s->trail.count;
  Part rest = {part->first, part->count, c.offset, c.item};
  put(s, c.item, c.offset);
  if (lift_neighbours(s, c.item, c.offset + p->size[c.item]) &&
      place_others(s, &rest, c.item))
    return true;
  undo_to(s, trail);
  return false;
}

static bool stands_alone(const Search *s, int32_t item) {
  for (const int32_t *m = s->meets[item]; *m >= 0; ++m)
    if (!s->placed[*m])
      return false;
  return true;
}

static bool place_part(Search *s, const Part *part) {
  size_t first = s->choices.count;
  size_t count = add_choices(s, part);
  bool found = false;
  bool free =
      false; /* nothing can stand on the one tried: others do not help */
  for (size_t i = 0; i < count && !found && !free && s->nodes > 0; ++i) {
    Choice choice = s->choices.items[first + i];
    --s->nodes;
    free = stands_alone(s, choice.item);
    found = try_choice(s, part, choice);
  }
  s->choices.count = first;
  return found;
}

static int compare_starts(const void *left, const void *right) {
  const int64_t *a = left, *b = right;
  return (a[0] > b[0]) - (a[0] < b[0]);
}

static bool place_all(Search *s) {
  const RmPacking *p = s->packing;
  int64_t(*starts)[2] = (void *)RM_NEW_ARRAY(p->pool, int64_t, 2 * p->count);
  for (int32_t i = 0; i < p->count; ++i)
    starts[i][0] = ((int64_t)p->lower[i] << 32) | i, starts[i][1] = i;
  qsort(starts, (size_t)p->count, sizeof *starts, compare_starts);
  s->members.count = 0;
  for (int32_t k = 0; k < p->count; ++k)
    rm_vec_push(p->pool, &s->members, (int32_t)starts[k][1]);
  Part all = {0, (size_t)p->count, 0, -1};
  bool placed = place_others(s, &all, -1);
  undo_to(s, 0);
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

/* Asks for an arena of `capacity`, in at most `limit` nodes. A search that
 * ended without an answer raises the bound. */
static void ask(Search *s, int64_t capacity, int64_t limit,
                RmBestPlacement *best) {
  RmPacking *p = s->packing;
  s->nodes = limit;
  s->capacity = capacity;
  s->refused = best->arena;
  if (place_all(s)) {
    memcpy(best->offsets, s->offsets, (size_t)p->count * sizeof *s->offsets);
    best->arena = arena_of(s);
  } else if (s->nodes > 0) { /* nothing was cut off */
    p->lower_bound = s->refused;
  }
}

/* Capacities between the bound and the best arena, in sixteenths. */
static const int sixteenths[] = {0, 8, 4, 2, 1, 12};
enum { NUM_CAPACITIES = sizeof sixteenths / sizeof *sixteenths };

void rm_canonical_search(RmPacking *p, int64_t work, RmBestPlacement *best) {
  Search s = begin(p);
  int64_t limit = p->count + 200;
  for (int turn = 0; best->arena > p->lower_bound && s.work < work; ++turn) {
    rank_items(&s, turn % NUM_ORDERS);
    if (turn && turn % NUM_ORDERS == 0)
      limit *= 2;
    for (int c = 0; c < NUM_CAPACITIES && s.work < work; ++c) {
      int64_t gap = best->arena - p->lower_bound;
      int64_t more = gap / 16 * sixteenths[c];
      if (gap && (!c || more >= p->grain))
        ask(&s, p->lower_bound + more, limit, best);
    }
  }
}
