/* lib/memory/canonical-search.c - the smallest arena, by branch and bound.
 *
 * Pushing every item down in the order of offsets gives a placement that is no
 * worse, in which each item stands on another, on a fixed one or on the ground.
 * So it is enough to place items in non-decreasing order of offset, each right
 * upon what it meets (Moffitt, MiniMalloc, ASPLOS 2023). A partial placement is
 * given up when some tick can no longer hold what must still be placed there,
 * or when an unplaced item would fit wholly below the next offset.
 *
 * We ask for an arena of the lower bound first. If nothing was cut off by the
 * limit on nodes, the least arena that was refused on the way is a new bound
 * (as in iterative deepening), and we ask for that.
 *
 * Invariant: `rest[i]` is where item i would stand upon the placed items. */

#include "memory/packing.h"

#include <stdlib.h>
#include <string.h>

typedef struct Choice {
  int64_t offset, top;
  int32_t item;
} Choice;

/* What one level of the search needs to undo its choices. */
typedef struct Level {
  Choice *choices;
  int64_t *rest, *floors;
} Level;

typedef struct Search {
  RmPacking *packing;
  Level *levels; /* by the number of items placed */
  int32_t **meets; /* by item: those whose lives meet its own, ends with -1 */
  int64_t *rest, *offsets;
  bool *placed;
  int64_t *floor, *pending, *slack; /* by tick; slack: rounding of one item */
  int64_t capacity, refused;        /* the least arena that was refused */
  int64_t nodes;
} Search;

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

static void make_levels(Search *s) {
  const RmPacking *p = s->packing;
  s->levels = RM_NEW_ARRAY(p->pool, Level, p->count);
  for (int32_t i = 0; i < p->count; ++i)
    s->levels[i] = (Level){RM_NEW_ARRAY(p->pool, Choice, p->count - i),
                           RM_NEW_ARRAY(p->pool, int64_t, p->count),
                           RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks)};
}

static Search begin(RmPacking *p, int64_t nodes) {
  Search s = {.packing = p, .nodes = nodes};
  find_meetings(&s);
  make_levels(&s);
  s.rest = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.offsets = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.placed = RM_NEW_ARRAY(p->pool, bool, p->count);
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

static bool refuse(Search *s, int64_t arena) {
  if (arena <= s->capacity)
    return false;
  s->refused = arena < s->refused ? arena : s->refused;
  return true;
}

/* Nothing unplaced may start below `offset` from here on. */
static bool ticks_are_full(Search *s, int64_t offset) {
  for (int32_t t = 0; t < s->packing->num_ticks; ++t) {
    if (!s->pending[t])
      continue;
    int64_t floor = s->floor[t] > offset ? s->floor[t] : offset;
    if (refuse(s, floor + s->pending[t] - s->slack[t]))
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

static int compare_choices(const void *left, const void *right) {
  const Choice *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  if (a->top != b->top)
    return a->top > b->top ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* Items that may come next at or above `from`, lowest first. `last` was placed
 * at `from`: of equal offsets the smaller number goes first. */
static int32_t list_choices(const Search *s, int64_t from, int32_t last,
                            Choice *choices) {
  const RmPacking *p = s->packing;
  int64_t lowest_top = INT64_MAX;
  int32_t count = 0;
  for (int32_t i = 0; i < p->count; ++i)
    if (!s->placed[i] && s->rest[i] + p->size[i] < lowest_top)
      lowest_top = s->rest[i] + p->size[i];
  for (int32_t i = 0; i < p->count; ++i) {
    int64_t offset = s->rest[i];
    if (s->placed[i] || offset < from || (offset == from && i < last) ||
        offset >= lowest_top || crosses_fixed(s, i, offset))
      continue;
    choices[count++] = (Choice){offset, offset + p->size[i], i};
  }
  qsort(choices, (size_t)count, sizeof *choices, compare_choices);
  return count;
}

/* False if a fixed item can no longer stand where it must. */
static bool lift_neighbours(Search *s, int32_t item, int64_t top) {
  const RmPacking *p = s->packing;
  bool possible = true;
  for (const int32_t *m = s->meets[item]; *m >= 0; ++m) {
    if (s->placed[*m] || s->rest[*m] >= top)
      continue;
    s->rest[*m] = rm_align_up(top, p->alignment[*m]);
    possible &= p->fixed[*m] < 0;
  }
  return possible;
}

static void set_ticks(Search *s, int32_t item, const int64_t *floors,
                      int64_t top, int64_t pending) {
  const RmPacking *p = s->packing;
  for (int32_t t = p->lower[item]; t < p->upper[item]; ++t) {
    s->floor[t] = floors ? floors[t - p->lower[item]] : top;
    s->pending[t] += pending;
  }
}

static bool place_rest(Search *s, int32_t depth, int64_t from, int32_t last);

static bool try_choice(Search *s, int32_t depth, const Choice *c) {
  const RmPacking *p = s->packing;
  const Level *level = &s->levels[depth];
  int32_t item = c->item;
  if (refuse(s, rm_packing_top(p, item, c->offset)))
    return false;
  memcpy(level->rest, s->rest, (size_t)p->count * sizeof *s->rest);
  memcpy(level->floors, s->floor + p->lower[item],
         (size_t)(p->upper[item] - p->lower[item]) * sizeof *s->floor);
  s->placed[item] = true;
  s->offsets[item] = c->offset;
  set_ticks(s, item, NULL, c->top, -p->size[item]);
  if (lift_neighbours(s, item, c->top) && !ticks_are_full(s, c->offset) &&
      place_rest(s, depth + 1, c->offset, item))
    return true;
  s->placed[item] = false;
  set_ticks(s, item, level->floors, 0, p->size[item]);
  memcpy(s->rest, level->rest, (size_t)p->count * sizeof *s->rest);
  return false;
}

/* Places what is left; `last` was placed at `from`. */
static bool place_rest(Search *s, int32_t depth, int64_t from, int32_t last) {
  if (depth == s->packing->count)
    return true;
  Choice *choices = s->levels[depth].choices;
  int32_t count = list_choices(s, from, last, choices);
  bool found = false;
  for (int32_t i = 0; i < count && !found && s->nodes > 0; ++i, --s->nodes)
    found = try_choice(s, depth, &choices[i]);
  return found;
}

void rm_canonical_search(RmPacking *p, int64_t nodes, RmBestPlacement *best) {
  Search s = begin(p, nodes);
  while (best->arena > p->lower_bound && s.nodes > 0) {
    s.capacity = p->lower_bound;
    s.refused = best->arena;
    if (place_rest(&s, 0, 0, -1)) {
      memcpy(best->offsets, s.offsets, (size_t)p->count * sizeof *s.offsets);
      best->arena = s.capacity;
      return;
    }
    if (s.nodes > 0) /* nothing was cut off */
      p->lower_bound = s.refused;
  }
}
