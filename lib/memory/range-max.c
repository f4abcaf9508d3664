/* lib/memory/range-max.c - the greatest of some neighbours in an array.
 *
 * Level k holds the greatest of each 2^k entries from i on, so any range is the
 * union of two entries of one level. */

#include "memory/packing.h"

#include <string.h>

RmRangeMax rm_range_max_create(RmPool *pool, int32_t most) {
  RmRangeMax m = {.num_levels = 1};
  while (1 << m.num_levels <= most)
    ++m.num_levels;
  m.levels = RM_NEW_ARRAY(pool, int64_t *, m.num_levels);
  for (int32_t k = 0; k < m.num_levels; ++k)
    m.levels[k] = RM_NEW_ARRAY(pool, int64_t, most);
  return m;
}

void rm_range_max_fill(RmRangeMax *m, const int64_t *values, int32_t lower,
                       int32_t upper) {
  int32_t count = upper - lower;
  m->lower = lower;
  memcpy(m->levels[0], values + lower, (size_t)count * sizeof *values);
  for (int32_t k = 1; 1 << k <= count; ++k) {
    int32_t half = 1 << (k - 1);
    const int64_t *from = m->levels[k - 1];
    for (int32_t i = 0; i + 2 * half <= count; ++i)
      m->levels[k][i] = from[i] > from[i + half] ? from[i] : from[i + half];
  }
}

int64_t rm_range_max(const RmRangeMax *m, int32_t lower, int32_t upper) {
  int32_t level = 0;
  while (2 << level <= upper - lower)
    ++level;
  int64_t a = m->levels[level][lower - m->lower];
  int64_t b = m->levels[level][upper - (1 << level) - m->lower];
  return a > b ? a : b;
}
