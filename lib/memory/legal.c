/* lib/memory/legal.c - where an item may stand, and how far over another.
 *
 * Both answers hold whatever else is placed, so each packer asks them alone.
 * They also tell of what can be seen to have no placement. */

#include "memory/packing.h"

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }

/* The first multiple of the alignment from `offset` on that keeps the item
 * within one bank. */
static int64_t legal_in_banks(const RmPacking *p, int32_t item,
                              int64_t offset) {
  int64_t bank = p->problem->bank_bytes, bytes = p->bytes[item];
  if (bytes > bank)
    return RM_NOWHERE;
  int64_t first = p->bank[item] < 0 ? 0 : p->bank[item] * bank;
  int64_t at = rm_align_up(largest(offset, first), p->alignment[item]);
  /* Where banks are no multiples of the alignment a few may have to be tried.
   */
  for (int64_t tries = 0; tries <= p->alignment[item]; ++tries) {
    if (p->bank[item] >= 0 && at + bytes > first + bank)
      return RM_NOWHERE;
    if (at % bank + bytes <= bank)
      return at;
    at = rm_align_up(at - at % bank + bank, p->alignment[item]);
  }
  return RM_NOWHERE;
}

static int64_t legal_if_free(const RmPacking *p, int32_t item, int64_t offset) {
  if (p->problem->bank_bytes)
    return legal_in_banks(p, item, offset);
  return rm_align_up(offset, p->alignment[item]);
}

int64_t rm_packing_legal(const RmPacking *p, int32_t item, int64_t offset) {
  int64_t fixed = p->fixed[item];
  if (fixed < 0)
    return legal_if_free(p, item, offset);
  if (offset > fixed)
    return RM_NOWHERE;
  if (rm_packing_is_taken(p, item))
    return fixed;
  return legal_if_free(p, item, fixed) == fixed ? fixed : RM_NOWHERE;
}

static int64_t rise_of_apart(const RmPacking *p, int32_t below, int32_t above) {
  int64_t rise = 0;
  for (int32_t k = p->first_apart[below]; k < p->first_apart[below + 1]; ++k)
    if (p->apart[k].item == above)
      rise = largest(rise, p->apart[k].rise);
  return rise;
}

/* The largest segment of `below` that meets one of `above`. */
static int64_t rise_where_alive(const RmPacking *p, int32_t below,
                                int32_t above) {
  const RmSegment *a = p->segments + p->first_segment[below];
  const RmSegment *a_end = p->segments + p->first_segment[below + 1];
  const RmSegment *b = p->segments + p->first_segment[above];
  const RmSegment *b_end = p->segments + p->first_segment[above + 1];
  int64_t rise = 0;
  while (a < a_end && b < b_end) {
    if (a->lower < b->upper && b->lower < a->upper)
      rise = largest(rise, a->size);
    *(a->upper <= b->upper ? &a : &b) += 1;
  }
  return rise;
}

int64_t rm_packing_rise(const RmPacking *p, int32_t below, int32_t above) {
  int64_t rise = rise_of_apart(p, below, above);
  if (p->lower[below] >= p->upper[above] || p->lower[above] >= p->upper[below])
    return rise;
  return largest(rise, rise_where_alive(p, below, above));
}

/*===-- What cannot be ----------------------------------------------------===*/

static bool overlap_as_fixed(const RmPacking *p, int32_t a, int32_t b) {
  int32_t below = p->fixed[a] <= p->fixed[b] ? a : b;
  int32_t above = below == a ? b : a;
  int64_t rise = rm_packing_rise(p, below, above);
  return rise && p->fixed[below] + rise > p->fixed[above];
}

static bool has_no_place(const RmPacking *p, const int32_t *fixed,
                         int32_t num_fixed) {
  for (int32_t i = 0; i < p->count; ++i)
    if (rm_packing_legal(p, i, 0) == RM_NOWHERE)
      return true;
  for (int32_t i = 0; i < num_fixed; ++i)
    for (int32_t j = 0; j < i; ++j)
      if (overlap_as_fixed(p, fixed[i], fixed[j]))
        return true;
  return false;
}

bool rm_packing_is_hopeless(const RmPacking *p) {
  int32_t *fixed = RM_NEW_ARRAY(p->pool, int32_t, p->count), count = 0;
  for (int32_t i = 0; i < p->count; ++i)
    if (p->fixed[i] >= 0)
      fixed[count++] = i;
  return has_no_place(p, fixed, count);
}
