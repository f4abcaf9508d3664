/* lib/memory/unfit.c - which buffers cannot be placed, and no fewer.
 *
 * By deletion: what is left out and the rest still provably cannot be placed,
 * stays out. Halves go first, then quarters, down to single buffers, so that a
 * small set in a large problem is found in few solutions. A rest that the
 * search cannot decide counts as one that fits: the set is then right, but
 * perhaps larger than need be. */

#include "memory/packing.h"

#include <string.h>

typedef struct Deletion {
  const RmMemoryProblem *problem;
  int effort;
  bool *kept;      /* by buffer */
  int32_t *index;  /* by buffer: its number in the smaller problem */
  int32_t *leader; /* by buffer, see rm_memory_leaders */
  RmPool *pool;    /* of the smaller problem */
  bool *before;    /* room for a copy of `kept` */
} Deletion;

static int32_t keep_pairs(const Deletion *d, const RmBufferPair *pairs,
                          int32_t count, RmBufferPair *out) {
  int32_t n = 0;
  for (int32_t i = 0; i < count; ++i)
    if (d->kept[pairs[i].a] && d->kept[pairs[i].b])
      out[n++] = (RmBufferPair){d->index[pairs[i].a], d->index[pairs[i].b]};
  return n;
}

/* Each kept buffer with the first kept one of those it lies together with. */
static int32_t keep_together(const Deletion *d, RmBufferPair *out) {
  int32_t *first = RM_NEW_ARRAY(d->pool, int32_t, d->problem->count), n = 0;
  for (int32_t i = 0; i < d->problem->count; ++i) {
    int32_t *of_all = &first[d->leader[i]];
    if (d->kept[i] && *of_all)
      out[n++] = (RmBufferPair){*of_all - 1, d->index[i]};
    else if (d->kept[i])
      *of_all = d->index[i] + 1;
  }
  return n;
}

static int32_t keep_holes(const Deletion *d, RmHole *out) {
  int32_t n = 0;
  for (int32_t i = 0; i < d->problem->num_holes; ++i) {
    RmHole hole = d->problem->holes[i];
    if (!d->kept[hole.buffer])
      continue;
    hole.buffer = d->index[hole.buffer];
    out[n++] = hole;
  }
  return n;
}

/* The kept buffers and what binds them. */
static RmMemoryProblem build_rest(const Deletion *d) {
  const RmMemoryProblem *m = d->problem;
  RmBuffer *buffers = RM_NEW_ARRAY(d->pool, RmBuffer, m->count);
  int32_t *banks = RM_NEW_ARRAY(d->pool, int32_t, m->count);
  RmHole *holes = RM_NEW_ARRAY(d->pool, RmHole, m->num_holes);
  RmBufferPair *together = RM_NEW_ARRAY(d->pool, RmBufferPair, m->count);
  RmBufferPair *apart = RM_NEW_ARRAY(d->pool, RmBufferPair, m->num_apart);
  RmMemoryProblem rest = *m;
  rest.count = 0;
  for (int32_t i = 0; i < m->count; ++i) {
    if (!d->kept[i])
      continue;
    banks[rest.count] = m->banks ? m->banks[i] : -1;
    buffers[rest.count] = m->buffers[i];
    d->index[i] = rest.count++;
  }
  rest.buffers = buffers;
  rest.banks = m->banks ? banks : NULL;
  rest.num_holes = keep_holes(d, holes), rest.holes = holes;
  rest.num_together = keep_together(d, together);
  rest.num_apart = keep_pairs(d, m->apart, m->num_apart, apart);
  rest.together = together, rest.apart = apart;
  return rest;
}

static bool rest_cannot_fit(Deletion *d) {
  volatile bool cannot = false;
  d->pool = rm_pool_create();
  if (d->pool && !setjmp(d->pool->exhausted)) {
    RmMemoryProblem rest = build_rest(d);
    RmPlacement placement = rm_memory_solve(&rest, d->effort, d->pool);
    cannot = rm_placement_cannot_fit(&rest, &placement);
  }
  rm_pool_destroy(d->pool);
  return cannot;
}

/* Leaves out up to `step` kept buffers from `first` on, if the rest still
 * cannot be placed; where the next ones begin. */
static int32_t try_without(Deletion *d, int32_t first, int32_t step) {
  int32_t end = first, out = 0;
  for (; end < d->problem->count && out < step; ++end)
    out += d->kept[end];
  memcpy(d->before, d->kept + first, (size_t)(end - first));
  memset(d->kept + first, 0, (size_t)(end - first));
  if (out && !rest_cannot_fit(d))
    memcpy(d->kept + first, d->before, (size_t)(end - first));
  return end;
}

void rm_memory_find_unfit(const RmMemoryProblem *m, int effort,
                          RmPlacement *placement, RmPool *pool) {
  Deletion d = {m,
                effort,
                RM_NEW_ARRAY(pool, bool, m->count),
                RM_NEW_ARRAY(pool, int32_t, m->count),
                rm_memory_leaders(m, pool),
                NULL,
                RM_NEW_ARRAY(pool, bool, m->count)};
  for (int32_t i = 0; i < m->count; ++i)
    d.kept[i] = true;
  for (int32_t step = (m->count + 1) / 2; step; step /= 2)
    for (int32_t first = 0; first < m->count;)
      first = try_without(&d, first, step);
  placement->unfit = RM_NEW_ARRAY(pool, int32_t, m->count);
  for (int32_t i = 0; i < m->count; ++i)
    if (d.kept[i])
      placement->unfit[placement->num_unfit++] = i;
}
