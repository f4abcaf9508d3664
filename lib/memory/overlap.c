/* lib/memory/overlap.c - is a placement right? By looking at every pair.
 *
 * Shares nothing with the packers. Buffers are sorted by the start of their
 * lives, and each is compared with all that start before it ends. */

#include "memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Check {
  const RmMemoryProblem *problem;
  const int64_t *at; /* the offsets */
  int32_t *set;      /* by buffer: equal for those that lie together */
  RmPool *pool;
} Check;

/*===-- Single buffers ----------------------------------------------------===*/

static const char *check_bank(const Check *c, int32_t i) {
  const RmMemoryProblem *m = c->problem;
  int64_t begin = c->at[i], end = begin + m->buffers[i].size;
  int64_t bytes = m->bank_bytes, bank = bytes && m->banks ? m->banks[i] : -1;
  if (bytes && end > begin && begin / bytes != (end - 1) / bytes)
    return rm_pool_printf(c->pool,
                          "buffer %" PRId32 " in bytes [%" PRId64 ", %" PRId64
                          ") crosses a bank border",
                          i, begin, end);
  if (bank >= 0 && begin / bytes != bank)
    return rm_pool_printf(c->pool,
                          "buffer %" PRId32 " in bytes [%" PRId64 ", %" PRId64
                          ") is not in bank %" PRId64,
                          i, begin, end, bank);
  return NULL;
}

static const char *check_reserved(const Check *c, int32_t i) {
  const RmMemoryProblem *m = c->problem;
  int64_t begin = c->at[i], end = begin + m->buffers[i].size;
  for (int32_t k = 0; k < m->num_reserved; ++k)
    if (begin < end && begin < m->reserved[k].end && m->reserved[k].begin < end)
      return rm_pool_printf(
          c->pool,
          "buffer %" PRId32 " in bytes [%" PRId64 ", %" PRId64
          ") overlaps reserved bytes [%" PRId64 ", %" PRId64 ")",
          i, begin, end, m->reserved[k].begin, m->reserved[k].end);
  return NULL;
}

static const char *check_one(const Check *c, int32_t i) {
  const RmBuffer *b = &c->problem->buffers[i];
  int64_t offset = c->at[i];
  if (offset < 0)
    return rm_pool_printf(c->pool, "buffer %" PRId32 " has the offset %" PRId64,
                          i, offset);
  if (b->alignment > 1 && offset % b->alignment)
    return rm_pool_printf(
        c->pool, "buffer %" PRId32 " at %" PRId64 " is not aligned to %" PRId64,
        i, offset, b->alignment);
  if (b->fixed >= 0 && offset != b->fixed)
    return rm_pool_printf(
        c->pool, "buffer %" PRId32 " is at %" PRId64 ", it must be at %" PRId64,
        i, offset, b->fixed);
  const char *wrong = check_bank(c, i);
  return wrong ? wrong : check_reserved(c, i);
}

/*===-- Pairs -------------------------------------------------------------===*/

static bool share_bytes(const Check *c, int32_t i, int32_t j) {
  const RmBuffer *a = &c->problem->buffers[i], *b = &c->problem->buffers[j];
  return a->size && b->size && c->at[i] < c->at[j] + b->size &&
         c->at[j] < c->at[i] + a->size;
}

static bool is_alive(const Check *c, int32_t i, int64_t tick) {
  const RmMemoryProblem *m = c->problem;
  for (int32_t k = 0; k < m->num_holes; ++k)
    if (m->holes[k].buffer == i && m->holes[k].lower <= tick &&
        tick < m->holes[k].upper)
      return false;
  return m->buffers[i].lower <= tick && tick < m->buffers[i].upper;
}

/* If both are alive at a tick, then at the start of a life or the end of a
 * hole. */
static bool meet(const Check *c, int32_t i, int32_t j) {
  const RmMemoryProblem *m = c->problem;
  int64_t a = m->buffers[i].lower, b = m->buffers[j].lower;
  int64_t start = a > b ? a : b;
  if (is_alive(c, i, start) && is_alive(c, j, start))
    return true;
  for (int32_t k = 0; k < m->num_holes; ++k)
    if ((m->holes[k].buffer == i || m->holes[k].buffer == j) &&
        is_alive(c, i, m->holes[k].upper) && is_alive(c, j, m->holes[k].upper))
      return true;
  return false;
}

static const char *describe_pair(const Check *c, const char *how, int32_t i,
                                 int32_t j) {
  if (i > j)
    return describe_pair(c, how, j, i);
  const RmBuffer *a = &c->problem->buffers[i], *b = &c->problem->buffers[j];
  return rm_pool_printf(
      c->pool,
      "buffers %" PRId32 " and %" PRId32 " %s: %" PRId32 " lives [%" PRId64
      ", %" PRId64 ") in bytes [%" PRId64 ", %" PRId64 "), %" PRId32
      " lives [%" PRId64 ", %" PRId64 ") in bytes [%" PRId64 ", %" PRId64 ")",
      i, j, how, i, a->lower, a->upper, c->at[i], c->at[i] + a->size, j,
      b->lower, b->upper, c->at[j], c->at[j] + b->size);
}

static const char *check_pairs(const Check *c) {
  const RmMemoryProblem *m = c->problem;
  for (int32_t k = 0; k < m->num_together; ++k)
    if (c->at[m->together[k].a] != c->at[m->together[k].b])
      return describe_pair(c, "are not together", m->together[k].a,
                           m->together[k].b);
  for (int32_t k = 0; k < m->num_apart; ++k)
    if (share_bytes(c, m->apart[k].a, m->apart[k].b))
      return describe_pair(c, "are not apart", m->apart[k].a, m->apart[k].b);
  return NULL;
}

/* Joins sets until no pair is in two. */
static void find_sets(Check *c) {
  const RmMemoryProblem *m = c->problem;
  c->set = RM_NEW_ARRAY(c->pool, int32_t, m->count);
  for (int32_t i = 0; i < m->count; ++i)
    c->set[i] = i;
  for (bool changed = m->num_together > 0; changed;) {
    changed = false;
    for (int32_t k = 0; k < m->num_together; ++k) {
      int32_t *a = &c->set[m->together[k].a], *b = &c->set[m->together[k].b];
      changed |= *a != *b;
      *a = *b = *a < *b ? *a : *b;
    }
  }
}

typedef struct Entry {
  int64_t lower;
  int32_t buffer;
} Entry;

static int compare(const void *left, const void *right) {
  const Entry *a = left, *b = right;
  if (a->lower != b->lower)
    return a->lower < b->lower ? -1 : 1;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

static Entry *sort_by_start(const Check *c) {
  int32_t count = c->problem->count;
  Entry *entries = RM_NEW_ARRAY(c->pool, Entry, count);
  for (int32_t i = 0; i < count; ++i)
    entries[i] = (Entry){c->problem->buffers[i].lower, i};
  if (count)
    qsort(entries, (size_t)count, sizeof *entries, compare);
  return entries;
}

static const char *find_overlap(const Check *c) {
  const RmMemoryProblem *m = c->problem;
  const Entry *e = sort_by_start(c);
  for (int32_t k = 0; k < m->count; ++k) {
    int32_t i = e[k].buffer;
    int64_t upper = m->buffers[i].upper;
    for (int32_t n = k + 1; n < m->count && e[n].lower < upper; ++n) {
      int32_t j = e[n].buffer;
      if (share_bytes(c, i, j) && c->set[i] != c->set[j] && meet(c, i, j))
        return describe_pair(c, "overlap", i, j);
    }
  }
  return NULL;
}

/*===-- The whole ---------------------------------------------------------===*/

static const char *check_arena(const Check *c, const RmPlacement *placement) {
  int64_t end = 0, alignment = c->problem->arena_alignment;
  for (int32_t i = 0; i < c->problem->count; ++i) {
    int64_t top = c->at[i] + c->problem->buffers[i].size;
    end = top > end ? top : end;
  }
  if (alignment > 1 && end % alignment)
    end += alignment - end % alignment;
  if (end != placement->arena)
    return rm_pool_printf(
        c->pool, "the arena is given as %" PRId64 " bytes, it ends at %" PRId64,
        placement->arena, end);
  if (placement->lower_bound > end)
    return rm_pool_printf(c->pool,
                          "the arena of %" PRId64
                          " bytes is below the lower bound %" PRId64,
                          end, placement->lower_bound);
  return NULL;
}

const char *rm_memory_check(const RmMemoryProblem *problem,
                            const RmPlacement *placement, RmPool *pool) {
  Check c = {problem, placement->offsets, NULL, pool};
  if (!placement->offsets)
    return "no placement was found";
  for (int32_t i = 0; i < problem->count; ++i) {
    const char *wrong = check_one(&c, i);
    if (wrong)
      return wrong;
  }
  const char *wrong = check_arena(&c, placement);
  if (!wrong)
    wrong = check_pairs(&c);
  if (wrong)
    return wrong;
  find_sets(&c);
  return find_overlap(&c);
}
