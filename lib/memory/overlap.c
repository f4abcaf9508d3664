/* lib/memory/overlap.c - is a placement right? By looking at every pair.
 *
 * Shares nothing with the packers. Buffers are sorted by the start of their
 * lives, and each is compared with all that start before it ends. */

#include "memory/memory.h"

#include <inttypes.h>
#include <stdlib.h>

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

static const char *check_one(const RmBuffer *b, int32_t i, int64_t offset,
                             RmPool *pool) {
  if (offset < 0)
    return rm_pool_printf(pool, "buffer %" PRId32 " has the offset %" PRId64, i,
                          offset);
  if (b->alignment > 1 && offset % b->alignment)
    return rm_pool_printf(
        pool, "buffer %" PRId32 " at %" PRId64 " is not aligned to %" PRId64, i,
        offset, b->alignment);
  if (b->fixed >= 0 && offset != b->fixed)
    return rm_pool_printf(
        pool, "buffer %" PRId32 " is at %" PRId64 ", it must be at %" PRId64, i,
        offset, b->fixed);
  return NULL;
}

static const char *describe_pair(const RmBuffer *buffers, const int64_t *at,
                                 int32_t i, int32_t j, RmPool *pool) {
  const RmBuffer *a = &buffers[i], *b = &buffers[j];
  return rm_pool_printf(pool,
                        "buffers %" PRId32 " and %" PRId32 " overlap: %" PRId32
                        " lives [%" PRId64 ", %" PRId64 ") in bytes [%" PRId64
                        ", %" PRId64 "), %" PRId32 " lives [%" PRId64
                        ", %" PRId64 ") in bytes [%" PRId64 ", %" PRId64 ")",
                        i, j, i, a->lower, a->upper, at[i], at[i] + a->size, j,
                        b->lower, b->upper, at[j], at[j] + b->size);
}

static Entry *sort_by_start(const RmBuffer *buffers, int32_t count,
                            RmPool *pool) {
  Entry *entries = RM_NEW_ARRAY(pool, Entry, count);
  for (int32_t i = 0; i < count; ++i)
    entries[i] = (Entry){buffers[i].lower, i};
  qsort(entries, (size_t)count, sizeof *entries, compare);
  return entries;
}

static const char *find_overlap(const RmBuffer *buffers, int32_t count,
                                const int64_t *at, RmPool *pool) {
  const Entry *e = sort_by_start(buffers, count, pool);
  for (int32_t k = 0; k < count; ++k) {
    int32_t i = e[k].buffer;
    int64_t end = at[i] + buffers[i].size;
    for (int32_t m = k + 1; m < count && e[m].lower < buffers[i].upper; ++m) {
      int32_t j = e[m].buffer;
      if (buffers[i].size && buffers[j].size &&
          at[i] < at[j] + buffers[j].size && at[j] < end)
        return describe_pair(buffers, at, i < j ? i : j, i < j ? j : i, pool);
    }
  }
  return NULL;
}

const char *rm_memory_check(const RmBuffer *buffers, int32_t count,
                            const RmPlacement *placement, RmPool *pool) {
  int64_t arena = 0;
  for (int32_t i = 0; i < count; ++i) {
    int64_t offset = placement->offsets[i];
    const char *wrong = check_one(&buffers[i], i, offset, pool);
    if (wrong)
      return wrong;
    int64_t top = offset + buffers[i].size;
    arena = top > arena ? top : arena;
  }
  if (arena != placement->arena)
    return rm_pool_printf(
        pool, "the arena is given as %" PRId64 " bytes, it ends at %" PRId64,
        placement->arena, arena);
  if (placement->lower_bound > arena)
    return rm_pool_printf(pool,
                          "the arena of %" PRId64
                          " bytes is below the lower bound %" PRId64,
                          arena, placement->lower_bound);
  return find_overlap(buffers, count, placement->offsets, pool);
}
