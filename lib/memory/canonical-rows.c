/* lib/memory/canonical-rows.c - can the lowest row be covered?
 *
 * Where all bytes at a tick are needed, the row of ticks on which the lowest
 * floor lies has to be covered from end to end by items that can stand there,
 * none of which reaches beyond it, for the floor is higher there. Going through
 * its ticks once from each end tells whether it can be, and which items may be
 * part of it: an item on no such way need not be tried. */

#include "memory/canonical.h"

#include <string.h>

typedef RmSearchItem Item;
typedef RmSearchChoice Choice;
typedef RmSearchPart Part;
typedef RmSearch Search;

static int64_t floor_of(const Search *s, const Part *part, int32_t t) {
  if (!s->pending[t])
    return INT64_MAX;
  return s->sky[t] > part->from ? s->sky[t] : part->from;
}

static bool may_stand(const Part *part, const Item *item, int64_t floor) {
  return item->rest == floor && (floor > part->from || item->rank > part->last);
}

/* Marks the ticks up to which the row can be covered from its lower end, and
 * those from which it can be to its upper end. Where bytes may be wasted, a
 * tick need not be covered. */
static bool fills_row(Search *s, const Part *part, int32_t lower, int32_t upper,
                      int64_t floor) {
  bool *left = s->covered_to, *right = s->covered_from;
  size_t bytes = (size_t)(upper - lower + 1) * sizeof *left;
  memset(left + lower, 0, bytes), memset(right + lower, 0, bytes);
  left[lower] = right[upper] = true;
  for (int32_t t = lower; t < upper; ++t) {
    left[t + 1] |= left[t] && floor + s->pending[t] < s->limit[t];
    for (int32_t k = s->first_starting[t]; k < s->first_starting[t + 1]; ++k)
      if (left[t] && may_stand(part, &s->items[s->starting[k]], floor))
        left[s->items[s->starting[k]].upper] = true;
  }
  for (int32_t t = upper - 1; left[upper] && t >= lower; --t) {
    right[t] = right[t + 1] && floor + s->pending[t] < s->limit[t];
    for (int32_t k = s->first_starting[t]; k < s->first_starting[t + 1]; ++k)
      if (may_stand(part, &s->items[s->starting[k]], floor))
        right[t] |= right[s->items[s->starting[k]].upper];
  }
  s->work += 2 * (upper - lower);
  return left[upper];
}

/* Where no byte may be wasted the lowest row has to be covered from end to end
 * by items that can stand there. */
bool rm_search_fills_rows(Search *s, const Part *part) {
  int64_t lowest = INT64_MAX;
  for (int32_t t = part->lower; t < part->upper; ++t) {
    int64_t floor = floor_of(s, part, t);
    lowest = floor < lowest ? floor : lowest;
  }
  s->work += part->upper - part->lower;
  s->row = lowest;
  for (int32_t t = part->lower, end; t < part->upper; t = end) {
    for (end = t; end < part->upper && floor_of(s, part, end) == lowest;)
      ++end;
    if (end > t && !fills_row(s, part, t, end, lowest))
      return s->has_cut = true, false;
    if (end == t)
      ++end;
  }
  return true;
}
