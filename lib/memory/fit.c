/* lib/memory/fit.c - one buffer after another into the lowest or smallest gap.
 *
 * Two structures keep a run near n log n on sets from programs. Shelves hold
 * what is placed, sorted by offset, 64 to a shelf, each with the hull of its
 * lives, the times when something on it lives, in bits, and its highest top, so
 * that a search passes by whole shelves that cannot matter. The floor is a tree
 * over ticks: floor(t) says that everything below is taken at tick t; a search
 * starts above the highest floor of a life, which in tightly packed towers is
 * nearly the answer.
 *
 * Invariant: at each tick nothing free lies below floor(t); it may be too low,
 * never too high. Offsets on the shelves ascend. */

#include "memory/packing.h"

#include <stdlib.h>
#include <string.h>

enum { SHELF = 64 };

typedef struct Shelf {
  int32_t lower[SHELF], upper[SHELF];
  int64_t offset[SHELF], top[SHELF];
} Shelf;

/* All of the time in as many bits as the words have. */
enum { WORDS = 8, BITS = 64 * WORDS };

typedef struct Label { /* of a shelf, apart to be read quickly */
  int32_t count, lower, upper;
  int64_t first, top;
  Shelf *shelf;
  uint64_t busy[WORDS]; /* when something on it lives */
} Label;

struct RmFit {
  const RmPacking *packing;
  Label *labels;
  int32_t num_labels;
  Shelf *shelves; /* never given back within a run */
  int32_t num_shelves;
  int64_t *floor_min, *floor_max; /* a node whose ends are equal is uniform:
                                     what lies below it is out of date */
  int32_t leaves;
  RmPairFit *pairs; /* instead of all of it, where lives are irregular */
};

RmFit *rm_fit_create(const RmPacking *p) {
  RmFit *f = RM_NEW(p->pool, RmFit);
  f->packing = p;
  if (!p->is_plain)
    f->pairs = rm_pair_fit_create(p);
  int32_t most = p->count / (SHELF / 2) + 2;
  f->labels = RM_NEW_ARRAY(p->pool, Label, most);
  f->shelves = RM_NEW_ARRAY(p->pool, Shelf, most);
  for (f->leaves = 1; f->leaves < p->num_ticks;)
    f->leaves *= 2;
  f->floor_min = RM_NEW_ARRAY(p->pool, int64_t, 2 * (size_t)f->leaves);
  f->floor_max = RM_NEW_ARRAY(p->pool, int64_t, 2 * (size_t)f->leaves);
  return f;
}

/*===-- The floor ---------------------------------------------------------===*/

typedef struct Span { /* a node of the tree over ticks [first, last) */
  int32_t node, first, last;
} Span;

static Span left_of(Span s) {
  return (Span){2 * s.node, s.first, s.first + (s.last - s.first) / 2};
}

static Span right_of(Span s) {
  return (Span){2 * s.node + 1, s.first + (s.last - s.first) / 2, s.last};
}

static int64_t highest_floor(const RmFit *f, Span s, int32_t lower,
                             int32_t upper) {
  if (upper <= s.first || s.last <= lower)
    return 0;
  int64_t max = f->floor_max[s.node];
  if ((lower <= s.first && s.last <= upper) || max == f->floor_min[s.node])
    return max;
  int64_t a = highest_floor(f, left_of(s), lower, upper);
  int64_t b = highest_floor(f, right_of(s), lower, upper);
  return a > b ? a : b;
}

static void set_uniform(RmFit *f, int32_t node, int64_t value) {
  f->floor_min[node] = f->floor_max[node] = value;
}

/* Where the floor lies in [offset, top) it becomes `top`. */
static void raise_floor(RmFit *f, Span s, int32_t lower, int32_t upper,
                        int64_t offset, int64_t top) {
  int64_t min = f->floor_min[s.node], max = f->floor_max[s.node];
  if (upper <= s.first || s.last <= lower || max < offset || min >= top)
    return;
  if (lower <= s.first && s.last <= upper && min >= offset && max < top) {
    set_uniform(f, s.node, top);
    return;
  }
  if (min == max) {
    set_uniform(f, 2 * s.node, min);
    set_uniform(f, 2 * s.node + 1, min);
  }
  raise_floor(f, left_of(s), lower, upper, offset, top);
  raise_floor(f, right_of(s), lower, upper, offset, top);
  const int64_t *l = f->floor_min + 2 * s.node, *h = f->floor_max + 2 * s.node;
  f->floor_min[s.node] = l[0] < l[1] ? l[0] : l[1];
  f->floor_max[s.node] = h[0] > h[1] ? h[0] : h[1];
}

/*===-- Time in bits ------------------------------------------------------===*/

typedef struct Bits {
  int32_t first, last; /* inclusive */
} Bits;

static Bits bits_of(const RmFit *f, int32_t lower, int32_t upper) {
  int64_t ticks = f->packing->num_ticks;
  return (Bits){(int32_t)((int64_t)lower * BITS / ticks),
                (int32_t)((int64_t)(upper - 1) * BITS / ticks)};
}

/* Those of a range that lie in word `w`. */
static uint64_t mask_of(Bits b, int32_t w) {
  uint64_t mask = UINT64_MAX;
  if (w == b.first / 64)
    mask &= UINT64_MAX << b.first % 64;
  if (w == b.last / 64)
    mask &= UINT64_MAX >> (63 - b.last % 64);
  return mask;
}

static void set_busy(Label *label, Bits b) {
  for (int32_t w = b.first / 64; w <= b.last / 64; ++w)
    label->busy[w] |= mask_of(b, w);
}

static bool is_busy(const Label *label, Bits b) {
  for (int32_t w = b.first / 64; w <= b.last / 64; ++w)
    if (label->busy[w] & mask_of(b, w))
      return true;
  return false;
}

/*===-- The shelves -------------------------------------------------------===*/

static void relabel(const RmFit *f, Label *label) {
  const Shelf *s = label->shelf;
  label->first = s->offset[0];
  label->lower = INT32_MAX, label->upper = 0, label->top = 0;
  memset(label->busy, 0, sizeof label->busy);
  for (int32_t i = 0; i < label->count; ++i) {
    label->lower = s->lower[i] < label->lower ? s->lower[i] : label->lower;
    label->upper = s->upper[i] > label->upper ? s->upper[i] : label->upper;
    label->top = s->top[i] > label->top ? s->top[i] : label->top;
    set_busy(label, bits_of(f, s->lower[i], s->upper[i]));
  }
}

static void move_entries(Shelf *to, int32_t at, const Shelf *from, int32_t i,
                         int32_t count) {
  size_t narrow = (size_t)count * sizeof(int32_t);
  size_t wide = (size_t)count * sizeof(int64_t);
  memmove(to->lower + at, from->lower + i, narrow);
  memmove(to->upper + at, from->upper + i, narrow);
  memmove(to->offset + at, from->offset + i, wide);
  memmove(to->top + at, from->top + i, wide);
}

/* Makes two half-full shelves of the full one at `place`. */
static void split_shelf(RmFit *f, int32_t place) {
  Label *label = &f->labels[place];
  memmove(label + 2, label + 1,
          (size_t)(f->num_labels++ - place - 1) * sizeof *label);
  label[1].shelf = &f->shelves[f->num_shelves++];
  label[1].count = SHELF / 2;
  label[0].count = SHELF / 2;
  move_entries(label[1].shelf, 0, label[0].shelf, SHELF / 2, SHELF / 2);
  relabel(f, &label[0]);
  relabel(f, &label[1]);
}

/* The last shelf that starts at or below `offset`, or the first. */
static int32_t find_shelf(const RmFit *f, int64_t offset) {
  int32_t low = 0, high = f->num_labels;
  while (high - low > 1) {
    int32_t middle = (low + high) / 2;
    *(f->labels[middle].first <= offset ? &low : &high) = middle;
  }
  return low;
}

static void shelve(RmFit *f, int32_t item, int64_t offset) {
  const RmPacking *p = f->packing;
  int32_t place = find_shelf(f, offset);
  if (f->labels[place].count == SHELF) {
    split_shelf(f, place);
    place += f->labels[place + 1].first <= offset;
  }
  Label *label = &f->labels[place];
  Shelf *s = label->shelf;
  int32_t i = label->count;
  while (i > 0 && s->offset[i - 1] > offset)
    --i;
  move_entries(s, i + 1, s, i, label->count++ - i);
  s->lower[i] = p->lower[item], s->upper[i] = p->upper[item];
  s->offset[i] = offset, s->top[i] = offset + p->size[item];
  label->first = s->offset[0];
  label->lower = s->lower[i] < label->lower ? s->lower[i] : label->lower;
  label->upper = s->upper[i] > label->upper ? s->upper[i] : label->upper;
  label->top = s->top[i] > label->top ? s->top[i] : label->top;
  set_busy(label, bits_of(f, s->lower[i], s->upper[i]));
}

static void clear(RmFit *f) {
  if (f->pairs)
    rm_pair_fit_clear(f->pairs);
  f->num_labels = f->num_shelves = 1;
  f->labels[0] = (Label){.lower = INT32_MAX, .shelf = f->shelves};
  set_uniform(f, 1, 0);
}

/*===-- Finding a gap -----------------------------------------------------===*/

typedef struct Gap {
  int64_t at;    /* where the item would start next */
  int64_t best;  /* the smallest gap seen that holds it, or -1 */
  int64_t slack; /* its size */
  bool done;
} Gap;

static int64_t legal_from(const RmPacking *p, int32_t item, int64_t offset) {
  return p->problem->bank_bytes ? rm_packing_legal(p, item, offset)
                                : rm_align_up(offset, p->alignment[item]);
}

static void search_shelf(const RmFit *f, const Label *label, int32_t item,
                         bool best_fit, Gap *gap) {
  const RmPacking *p = f->packing;
  const Shelf *s = label->shelf;
  int32_t lower = p->lower[item], upper = p->upper[item];
  int64_t size = p->size[item];
  for (int32_t i = 0; i < label->count && !gap->done; ++i) {
    if (s->lower[i] >= upper || s->upper[i] <= lower || s->top[i] <= gap->at)
      continue;
    int64_t room = s->offset[i] - gap->at;
    if (room >= size && (gap->best < 0 || room < gap->slack)) {
      gap->best = gap->at, gap->slack = room;
      gap->done = !best_fit || room == size;
    }
    if (gap->done)
      return;
    gap->at = legal_from(p, item, s->top[i]);
    gap->done = gap->at == RM_NOWHERE;
  }
}

static int64_t find_offset(const RmFit *f, int32_t item, bool best_fit) {
  const RmPacking *p = f->packing;
  int32_t lower = p->lower[item], upper = p->upper[item];
  int64_t floor = highest_floor(f, (Span){1, 0, f->leaves}, lower, upper);
  Gap gap = {legal_from(p, item, floor), -1, 0, false};
  gap.done = gap.at == RM_NOWHERE;
  Bits bits = bits_of(f, lower, upper);
  for (int32_t k = 0; k < f->num_labels && !gap.done; ++k) {
    const Label *label = &f->labels[k];
    if (label->top <= gap.at || label->lower >= upper || label->upper <= lower)
      continue;
    if (!best_fit && label->first >= gap.at + p->size[item])
      break;
    if (is_busy(label, bits))
      search_shelf(f, label, item, best_fit, &gap);
  }
  return gap.best >= 0 ? gap.best : gap.at;
}

static void place(RmFit *f, int32_t item, int64_t offset, int64_t *offsets) {
  const RmPacking *p = f->packing;
  offsets[item] = offset;
  if (f->pairs) {
    rm_pair_fit_place(f->pairs, item);
    return;
  }
  shelve(f, item, offset);
  raise_floor(f, (Span){1, 0, f->leaves}, p->lower[item], p->upper[item],
              offset, offset + p->size[item]);
}

static int64_t place_fixed(RmFit *f, int64_t *offsets) {
  const RmPacking *p = f->packing;
  int64_t arena = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    if (p->fixed[i] < 0)
      continue;
    place(f, i, p->fixed[i], offsets);
    int64_t top = rm_packing_top(p, i, p->fixed[i]);
    arena = top > arena ? top : arena;
  }
  return arena;
}

int64_t rm_fit_run(RmFit *f, const int32_t *order, int32_t count, bool best_fit,
                   int64_t limit, int64_t *offsets) {
  const RmPacking *p = f->packing;
  clear(f);
  int64_t arena = place_fixed(f, offsets);
  for (int32_t k = 0; k < count; ++k) {
    int64_t offset = f->pairs ? rm_pair_fit_find(f->pairs, order[k], offsets)
                              : find_offset(f, order[k], best_fit);
    if (offset == RM_NOWHERE || rm_packing_top(p, order[k], offset) >= limit)
      return RM_NOWHERE;
    int64_t top = rm_packing_top(p, order[k], offset);
    arena = top > arena ? top : arena;
    place(f, order[k], offset, offsets);
  }
  return arena < limit ? arena : RM_NOWHERE;
}
