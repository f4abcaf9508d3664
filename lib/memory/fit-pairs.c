/* lib/memory/fit-pairs.c - the lowest gap for an item, by looking at all pairs.
 *
 * For lives of several intervals, items whose size changes, and pairs that must
 * be apart: each item placed forbids an interval of offsets, and the lowest
 * legal offset outside of all of them is taken. That is one look at each item
 * placed, where fit.c needs few.
 *
 * Invariant: `placed` holds what is placed, in the order in which it was. */

#include "memory/packing.h"

#include <stdlib.h>

typedef struct Forbidden { /* offsets strictly between */
  int64_t after, before;
} Forbidden;

struct RmPairFit {
  const RmPacking *packing;
  int32_t *placed;
  int32_t num_placed;
  Forbidden *forbidden;
};

RmPairFit *rm_pair_fit_create(const RmPacking *p) {
  RmPairFit *f = RM_NEW(p->pool, RmPairFit);
  f->packing = p;
  f->placed = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  f->forbidden = RM_NEW_ARRAY(p->pool, Forbidden, p->count);
  return f;
}

void rm_pair_fit_clear(RmPairFit *f) { f->num_placed = 0; }

void rm_pair_fit_place(RmPairFit *f, int32_t item) {
  f->placed[f->num_placed++] = item;
}

static int compare(const void *left, const void *right) {
  const Forbidden *a = left, *b = right;
  return (a->after > b->after) - (a->after < b->after);
}

static int32_t list_forbidden(RmPairFit *f, int32_t item,
                              const int64_t *offsets) {
  const RmPacking *p = f->packing;
  int32_t count = 0;
  for (int32_t k = 0; k < f->num_placed; ++k) {
    int32_t other = f->placed[k];
    int64_t under = rm_packing_rise(p, item, other);
    if (under)
      f->forbidden[count++] =
          (Forbidden){offsets[other] - under,
                      offsets[other] + rm_packing_rise(p, other, item)};
  }
  if (count)
    qsort(f->forbidden, (size_t)count, sizeof *f->forbidden, compare);
  return count;
}

int64_t rm_pair_fit_find(RmPairFit *f, int32_t item, const int64_t *offsets) {
  const RmPacking *p = f->packing;
  int32_t count = list_forbidden(f, item, offsets);
  int64_t at = rm_packing_legal(p, item, 0);
  for (int32_t k = 0; k < count && at != RM_NOWHERE; ++k) {
    if (at <= f->forbidden[k].after)
      return at;
    if (at < f->forbidden[k].before)
      at = rm_packing_legal(p, item, f->forbidden[k].before);
  }
  return at;
}
