/* lib/memory/pack.c - a problem as the packers want it.
 *
 * First the pieces of all lives, with the holes cut out, then the ticks that
 * matter, then an item for each set of buffers that lie together, whose height
 * at a tick is that of the highest piece alive there. Reserved bytes follow as
 * items that live always.
 *
 * Invariant: a placement of the items is one of the buffers with the same
 * arena, and the other way round. */

#include "memory/packing.h"

#include "support/vec.h"

#include <stdlib.h>

typedef struct Piece { /* of a life */
  int64_t lower, upper;
  int32_t buffer;
} Piece;

typedef RM_VEC(Piece) Pieces;
typedef RM_VEC(RmSegment) Segments;
typedef RM_VEC(RmByteRange) Ranges;

typedef struct Packer {
  RmPool *pool;
  const RmMemoryProblem *problem;
  RmPacking *packing;
  Pieces pieces;
  int64_t *ticks;
  Ranges taken;
} Packer;

/*===-- Reserved bytes and the grain --------------------------------------===*/

static int compare_ranges(const void *left, const void *right) {
  const RmByteRange *a = left, *b = right;
  return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Sorted, and none touches another. */
static void merge_reserved(Packer *k) {
  const RmMemoryProblem *m = k->problem;
  RmByteRange *all = RM_NEW_ARRAY(k->pool, RmByteRange, m->num_reserved);
  for (int32_t i = 0; i < m->num_reserved; ++i)
    all[i] = m->reserved[i];
  if (m->num_reserved)
    qsort(all, (size_t)m->num_reserved, sizeof *all, compare_ranges);
  for (int32_t i = 0; i < m->num_reserved; ++i) {
    RmByteRange *last =
        k->taken.count ? &k->taken.items[k->taken.count - 1] : NULL;
    if (last && all[i].begin <= last->end)
      last->end = all[i].end > last->end ? all[i].end : last->end;
    else
      rm_vec_push(k->pool, &k->taken, all[i]);
  }
}

/* The largest power of two that divides both; 0 is divided by all. */
static int64_t common_grain(int64_t a, int64_t b) { return (a | b) & -(a | b); }

static int64_t find_grain(const Packer *k) {
  const RmMemoryProblem *m = k->problem;
  int64_t grain = m->bank_bytes;
  for (int32_t i = 0; i < m->count; ++i)
    if (m->buffers[i].size)
      grain = common_grain(
          grain, m->buffers[i].alignment ? m->buffers[i].alignment : 1);
  for (size_t i = 0; i < k->taken.count; ++i)
    grain =
        common_grain(grain, k->taken.items[i].begin | k->taken.items[i].end);
  return grain ? grain : 1;
}

/*===-- Lives -------------------------------------------------------------===*/

static int compare_holes(const void *left, const void *right) {
  const RmHole *a = left, *b = right;
  if (a->buffer != b->buffer)
    return a->buffer < b->buffer ? -1 : 1;
  return (a->lower > b->lower) - (a->lower < b->lower);
}

static RmHole *sort_holes(const Packer *k) {
  const RmMemoryProblem *m = k->problem;
  RmHole *holes = RM_NEW_ARRAY(k->pool, RmHole, m->num_holes);
  for (int32_t i = 0; i < m->num_holes; ++i)
    holes[i] = m->holes[i];
  if (m->num_holes)
    qsort(holes, (size_t)m->num_holes, sizeof *holes, compare_holes);
  return holes;
}

static void add_piece(Packer *k, int32_t buffer, int64_t lower, int64_t upper) {
  Piece piece = {lower, upper, buffer};
  if (lower < upper)
    rm_vec_push(k->pool, &k->pieces, piece);
}

/* Those of buffers with bytes, in the order of the buffers. */
static void cut_lives(Packer *k) {
  const RmMemoryProblem *m = k->problem;
  const RmHole *hole = sort_holes(k), *end = hole + m->num_holes;
  for (int32_t i = 0; i < m->count; ++i) {
    int64_t lower = m->buffers[i].lower;
    for (; hole < end && hole->buffer == i; ++hole) {
      if (m->buffers[i].size)
        add_piece(k, i, lower, hole->lower);
      lower = hole->upper > lower ? hole->upper : lower;
    }
    if (m->buffers[i].size)
      add_piece(k, i, lower, m->buffers[i].upper);
  }
}

typedef struct Event {
  int64_t tick;
  int32_t starts; /* 0: ends, which comes first */
} Event;

static int compare_events(const void *left, const void *right) {
  const Event *a = left, *b = right;
  if (a->tick != b->tick)
    return a->tick < b->tick ? -1 : 1;
  return a->starts - b->starts;
}

/* Starts that an end follows: what is alive at another tick is alive at one of
 * them as well. */
static void find_ticks(Packer *k) {
  size_t count = 2 * k->pieces.count;
  Event *events = RM_NEW_ARRAY(k->pool, Event, count + 1);
  for (size_t i = 0; i < k->pieces.count; ++i) {
    events[2 * i] = (Event){k->pieces.items[i].lower, 1};
    events[2 * i + 1] = (Event){k->pieces.items[i].upper, 0};
  }
  if (count)
    qsort(events, count, sizeof *events, compare_events);
  k->ticks = RM_NEW_ARRAY(k->pool, int64_t, k->pieces.count + 1);
  for (size_t i = 0; i + 1 < count; ++i)
    if (events[i].starts && !events[i + 1].starts)
      k->ticks[k->packing->num_ticks++] = events[i].tick;
}

/* The number of ticks that matter below `tick`. */
static int32_t rank(const Packer *k, int64_t tick) {
  int32_t low = 0, high = k->packing->num_ticks;
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (k->ticks[middle] < tick)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/*===-- Items -------------------------------------------------------------===*/

/* The first buffer of those that lie together with `i`. */
static int32_t find_leader(int32_t *leader, int32_t i) {
  while (leader[i] != i)
    i = leader[i] = leader[leader[i]];
  return i;
}

int32_t *rm_memory_leaders(const RmMemoryProblem *m, RmPool *pool) {
  int32_t *leader = RM_NEW_ARRAY(pool, int32_t, m->count);
  for (int32_t i = 0; i < m->count; ++i)
    leader[i] = i;
  for (int32_t i = 0; i < m->num_together; ++i) {
    int32_t a = find_leader(leader, m->together[i].a);
    int32_t b = find_leader(leader, m->together[i].b);
    leader[a > b ? a : b] = a < b ? a : b;
  }
  for (int32_t i = 0; i < m->count; ++i)
    leader[i] = find_leader(leader, i);
  return leader;
}

/* Numbers the items in the order of their first buffers with bytes. */
static void number_items(Packer *k) {
  RmPacking *p = k->packing;
  int32_t *leader = rm_memory_leaders(k->problem, k->pool);
  int32_t *of_leader = RM_NEW_ARRAY(k->pool, int32_t, k->problem->count);
  for (int32_t i = 0; i < k->problem->count; ++i)
    of_leader[i] = -1;
  for (int32_t i = 0; i < k->problem->count; ++i)
    if (k->problem->buffers[i].size && of_leader[leader[i]] < 0)
      of_leader[leader[i]] = p->count++;
  p->item = RM_NEW_ARRAY(k->pool, int32_t, k->problem->count);
  for (int32_t i = 0; i < k->problem->count; ++i)
    p->item[i] = of_leader[leader[i]];
}

static void make_room(Packer *k) {
  RmPacking *p = k->packing;
  p->num_taken = p->count ? (int32_t)k->taken.count : 0;
  p->count += p->num_taken;
  p->lower = RM_NEW_ARRAY(k->pool, int32_t, p->count);
  p->upper = RM_NEW_ARRAY(k->pool, int32_t, p->count);
  p->first_segment = RM_NEW_ARRAY(k->pool, int32_t, p->count + 1);
  p->size = RM_NEW_ARRAY(k->pool, int64_t, p->count);
  p->bytes = RM_NEW_ARRAY(k->pool, int64_t, p->count);
  p->life = RM_NEW_ARRAY(k->pool, int64_t, p->count);
  p->alignment = RM_NEW_ARRAY(k->pool, int64_t, p->count);
  p->fixed = RM_NEW_ARRAY(k->pool, int64_t, p->count);
  p->bank = RM_NEW_ARRAY(k->pool, int32_t, p->count);
  for (int32_t i = 0; i < p->count; ++i)
    p->fixed[i] = p->bank[i] = -1, p->alignment[i] = 1;
}

/* Also of buffers without bytes that lie together with others. */
static void join_constraints(Packer *k) {
  RmPacking *p = k->packing;
  for (int32_t b = 0; b < k->problem->count; ++b) {
    const RmBuffer *buffer = &k->problem->buffers[b];
    int32_t i = p->item[b];
    if (i < 0)
      continue;
    if (buffer->alignment > p->alignment[i])
      p->alignment[i] = buffer->alignment;
    if (buffer->size > p->bytes[i])
      p->bytes[i] = buffer->size;
    p->is_impossible |=
        buffer->fixed >= 0 && p->fixed[i] >= 0 && buffer->fixed != p->fixed[i];
    if (buffer->fixed >= 0)
      p->fixed[i] = buffer->fixed;
    int32_t bank = k->problem->banks ? k->problem->banks[b] : -1;
    p->is_impossible |= bank >= 0 && p->bank[i] >= 0 && bank != p->bank[i];
    if (bank >= 0)
      p->bank[i] = bank;
  }
  for (int32_t i = 0; i < p->count; ++i)
    p->size[i] = rm_align_up(p->bytes[i], p->grain);
}

/* Pieces by item: those of item i are list[first[i]]... */
static int32_t *sort_pieces(const Packer *k, int32_t *first) {
  const RmPacking *p = k->packing;
  int32_t *list = RM_NEW_ARRAY(k->pool, int32_t, k->pieces.count);
  for (size_t i = 0; i < k->pieces.count; ++i)
    first[p->item[k->pieces.items[i].buffer] + 1]++;
  for (int32_t i = 0; i < p->count; ++i)
    first[i + 1] += first[i];
  int32_t *next = RM_NEW_ARRAY(k->pool, int32_t, p->count + 1);
  for (size_t i = 0; i < k->pieces.count; ++i) {
    int32_t item = p->item[k->pieces.items[i].buffer];
    list[first[item] + next[item]++] = (int32_t)i;
  }
  return list;
}

/* `height` is all 0 before and after. */
static void paint(Packer *k, const int32_t *pieces, int32_t count,
                  int64_t *height, Segments *out) {
  int32_t begin = INT32_MAX, end = 0;
  for (int32_t i = 0; i < count; ++i) {
    const Piece *piece = &k->pieces.items[pieces[i]];
    int32_t lower = rank(k, piece->lower), upper = rank(k, piece->upper);
    int64_t bytes = k->problem->buffers[piece->buffer].size;
    for (int32_t t = lower; t < upper; ++t)
      height[t] = bytes > height[t] ? bytes : height[t];
    begin = lower < begin ? lower : begin;
    end = upper > end ? upper : end;
  }
  for (int32_t t = begin, next; t < end; t = next) {
    for (next = t + 1; next < end && height[next] == height[t];)
      ++next;
    RmSegment segment = {t, next, rm_align_up(height[t], k->packing->grain),
                         height[t]};
    if (height[t])
      rm_vec_push(k->pool, out, segment);
  }
  for (int32_t t = begin; t < end; ++t)
    height[t] = 0;
}

static int64_t measure_life(const Packer *k, const int32_t *pieces,
                            int32_t count) {
  int64_t lower = INT64_MAX, upper = INT64_MIN;
  for (int32_t i = 0; i < count; ++i) {
    const Piece *piece = &k->pieces.items[pieces[i]];
    lower = piece->lower < lower ? piece->lower : lower;
    upper = piece->upper > upper ? piece->upper : upper;
  }
  return upper - lower;
}

static void give_life(Packer *k, int32_t item, const int32_t *pieces,
                      int32_t count, int64_t *height, Segments *segments) {
  RmPacking *p = k->packing;
  p->life[item] = measure_life(k, pieces, count);
  if (count > 1) {
    paint(k, pieces, count, height, segments);
    return;
  }
  const Piece *piece = &k->pieces.items[pieces[0]];
  RmSegment all = {rank(k, piece->lower), rank(k, piece->upper), p->size[item],
                   p->bytes[item]};
  rm_vec_push(k->pool, segments, all);
}

static void give_taken(Packer *k, int32_t item, Segments *segments) {
  RmPacking *p = k->packing;
  const RmByteRange *r = &k->taken.items[item - (p->count - p->num_taken)];
  p->fixed[item] = r->begin;
  p->size[item] = p->bytes[item] = r->end - r->begin;
  RmSegment all = {0, p->num_ticks, p->size[item], p->size[item]};
  rm_vec_push(k->pool, segments, all);
}

static void give_lives(Packer *k) {
  RmPacking *p = k->packing;
  int32_t *first = RM_NEW_ARRAY(k->pool, int32_t, p->count + 1);
  int32_t *list = sort_pieces(k, first);
  int64_t *height = RM_NEW_ARRAY(k->pool, int64_t, p->num_ticks);
  Segments segments = {0};
  rm_vec_reserve(k->pool, &segments, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    p->first_segment[i] = (int32_t)segments.count;
    if (rm_packing_is_taken(p, i))
      give_taken(k, i, &segments);
    else
      give_life(k, i, list + first[i], first[i + 1] - first[i], height,
                &segments);
    p->lower[i] = segments.items[p->first_segment[i]].lower;
    p->upper[i] = segments.items[segments.count - 1].upper;
  }
  p->first_segment[p->count] = (int32_t)segments.count;
  p->segments = segments.items;
  p->is_plain = (int32_t)segments.count == p->count;
}

/* What a pair adds to the lists of its items: counted, or written. */
static void add_apart(RmPacking *p, const RmMemoryProblem *m, int32_t a,
                      int32_t b, bool count_only) {
  int32_t from = p->item[a], to = p->item[b];
  if (count_only) {
    p->first_apart[from + 2]++;
    return;
  }
  int64_t rise = rm_align_up(m->buffers[a].size, p->grain);
  p->apart[p->first_apart[from + 1]++] = (RmApart){to, rise};
}

/* What lies together cannot be apart, unless it has no bytes. */
static void list_apart(Packer *k) {
  RmPacking *p = k->packing;
  const RmMemoryProblem *m = k->problem;
  p->first_apart = RM_NEW_ARRAY(k->pool, int32_t, p->count + 2);
  p->apart = RM_NEW_ARRAY(k->pool, RmApart, 2 * m->num_apart);
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t i = 0; i < m->num_apart; ++i) {
      int32_t a = m->apart[i].a, b = m->apart[i].b;
      if (!m->buffers[a].size || !m->buffers[b].size)
        continue;
      p->is_plain = false;
      p->is_impossible |= p->item[a] == p->item[b];
      add_apart(p, m, a, b, !pass);
      add_apart(p, m, b, a, !pass);
    }
    for (int32_t i = 0; !pass && i <= p->count; ++i)
      p->first_apart[i + 1] += p->first_apart[i];
  }
}

/*===-- What has no bytes -------------------------------------------------===*/

static int64_t bank_of_empty(const RmMemoryProblem *m, int32_t i) {
  return m->banks && m->banks[i] >= 0 ? m->banks[i] * m->bank_bytes : 0;
}

/* Whether it may not be at its offset. */
static bool is_misplaced(const RmMemoryProblem *m, int32_t i, int64_t at) {
  const RmBuffer *b = &m->buffers[i];
  int64_t bank = bank_of_empty(m, i);
  bool is_bound = m->banks && m->banks[i] >= 0;
  return (b->fixed >= 0 && b->fixed != at) ||
         (b->alignment > 1 && at % b->alignment) ||
         (is_bound && (at < bank || at >= bank + m->bank_bytes));
}

/* At the first legal offset, at one with all that it lies together with. */
static void place_empty(Packer *k) {
  const RmMemoryProblem *m = k->problem;
  RmPacking *p = k->packing;
  int32_t *leader = rm_memory_leaders(k->problem, k->pool);
  int64_t *alignment = RM_NEW_ARRAY(k->pool, int64_t, m->count);
  int64_t *least = RM_NEW_ARRAY(k->pool, int64_t, m->count);
  p->empty = RM_NEW_ARRAY(k->pool, int64_t, m->count);
  for (int32_t i = 0; i < m->count; ++i) {
    const RmBuffer *b = &m->buffers[i];
    int64_t at = b->fixed >= 0 ? b->fixed : bank_of_empty(m, i);
    if (at > least[leader[i]])
      least[leader[i]] = at;
    if (b->alignment > alignment[leader[i]])
      alignment[leader[i]] = b->alignment;
  }
  for (int32_t i = 0; i < m->count; ++i) {
    int64_t step = alignment[leader[i]] ? alignment[leader[i]] : 1;
    p->empty[i] = rm_align_up(least[leader[i]], step);
    if (p->item[i] < 0)
      p->is_impossible |= is_misplaced(m, i, p->empty[i]);
  }
}

RmPacking *rm_packing_create(const RmMemoryProblem *problem, RmPool *pool) {
  RmPacking *p = RM_NEW(pool, RmPacking);
  p->pool = pool, p->problem = problem;
  Packer k = {.pool = pool, .problem = problem, .packing = p};
  rm_memory_require_sound(problem);
  merge_reserved(&k);
  p->grain = find_grain(&k);
  cut_lives(&k);
  find_ticks(&k);
  number_items(&k);
  make_room(&k);
  join_constraints(&k);
  give_lives(&k);
  list_apart(&k);
  place_empty(&k);
  p->is_impossible = p->is_impossible || rm_packing_is_hopeless(p);
  p->lower_bound = rm_load_bound(p);
  return p;
}
