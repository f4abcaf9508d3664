/* lib/memory/canonical-state.c - items put and taken back, ticks that hold.
 *
 * Nothing here grows with the number of pairs that meet, but for small sets,
 * where lists of them shorten the way. What is alive at a tick is found in a
 * tree over ticks: each segment of a life lies at a few of its nodes, so those
 * alive are the ones on the way from a leaf to the root. */

#include "memory/canonical.h"

#include <string.h>

/* Items at most of which we list all pairs that meet. */
enum { MOST_LISTED = 2000 };

typedef RmSearchItem Item;
typedef RmSearchChoice Choice;
typedef RmSearchPart Part;
typedef RmSearch Search;

/*===-- What meets what ---------------------------------------------------===*/

static void list_rises(Search *s) {
  const RmPacking *p = s->packing;
  s->rises = RM_NEW_ARRAY(p->pool, int64_t, (size_t)p->count * p->count);
  for (int32_t i = 0; i < p->count; ++i)
    for (int32_t j = 0; j < p->count; ++j)
      if (i != j)
        s->rises[(size_t)i * p->count + j] = rm_packing_rise(p, i, j);
}

/* 0 if the two may share bytes. */
static int64_t rise_of(const Search *s, int32_t below, int32_t above) {
  if (s->rises)
    return s->rises[(size_t)below * s->packing->count + above];
  const Item *a = &s->items[below], *b = &s->items[above];
  return a->lower < b->upper && b->lower < a->upper ? a->size : 0;
}

/* Only shortens the way: rise_of has the answer. */
static void list_meetings(Search *s) {
  const RmPacking *p = s->packing;
  RmIntVec others = {0};
  if (p->count > MOST_LISTED)
    return;
  s->first_other = RM_NEW_ARRAY(p->pool, int32_t, p->count + 1);
  for (int32_t i = 0; i < p->count; ++i) {
    for (int32_t j = 0; j < p->count; ++j)
      if (i != j && rise_of(s, i, j))
        rm_vec_push(p->pool, &others, j);
    s->first_other[i + 1] = (int32_t)others.count;
  }
  s->others = others.items;
}

/* Each segment is the union of a few nodes: counts it at each or lists it. */
static void cover(Search *s, int32_t item, const RmSegment *segment,
                  bool count_only) {
  int32_t a = segment->lower + s->leaves, b = segment->upper + s->leaves;
  for (; a < b; a /= 2, b /= 2) {
    int32_t nodes[2] = {a & 1 ? a++ : 0, b & 1 ? --b : 0};
    for (int k = 0; k < 2; ++k)
      if (nodes[k] && count_only)
        s->first_cover[nodes[k] + 2]++;
      else if (nodes[k])
        s->covers[s->first_cover[nodes[k] + 1]++] = item;
  }
}

static void list_covers(Search *s) {
  const RmPacking *p = s->packing;
  for (s->leaves = 1; s->leaves < p->num_ticks;)
    s->leaves *= 2;
  s->first_cover = RM_NEW_ARRAY(p->pool, int32_t, 2 * s->leaves + 2);
  for (int pass = 0; pass < 2; ++pass) {
    for (int32_t i = 0; i < p->count; ++i)
      for (int32_t k = p->first_segment[i]; k < p->first_segment[i + 1]; ++k)
        cover(s, i, &p->segments[k], !pass);
    for (int32_t n = 0; !pass && n <= 2 * s->leaves; ++n)
      s->first_cover[n + 1] += s->first_cover[n];
    if (!pass)
      s->covers =
          RM_NEW_ARRAY(p->pool, int32_t, s->first_cover[2 * s->leaves + 1]);
  }
}

/* An item links the ticks of its life and of what must be apart from it. */
static void find_links(Search *s) {
  const RmPacking *p = s->packing;
  s->first = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  s->after = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  for (int32_t i = 0; i < p->count; ++i) {
    s->first[i] = p->lower[i], s->after[i] = p->upper[i];
    for (int32_t k = p->first_apart[i]; k < p->first_apart[i + 1]; ++k) {
      int32_t other = p->apart[k].item;
      if (p->lower[other] < s->first[i])
        s->first[i] = p->lower[other];
      if (p->upper[other] > s->after[i])
        s->after[i] = p->upper[other];
    }
  }
}

static void list_starting(Search *s) {
  const RmPacking *p = s->packing;
  int32_t *first = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks + 2);
  s->starting = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  for (int32_t i = 0; i < p->count; ++i)
    first[p->lower[i] + 2]++;
  for (int32_t t = 0; t < p->num_ticks; ++t)
    first[t + 2] += first[t + 1];
  for (int32_t i = 0; i < p->count; ++i)
    s->starting[first[p->lower[i] + 1]++] = i;
  s->first_starting = first;
}

static void reset_items(Search *s) {
  const RmPacking *p = s->packing;
  for (int32_t i = 0; i < p->count; ++i)
    s->items[i] = (Item){0, p->size[i], p->lower[i], p->upper[i], 0, 0};
  s->items[RM_NOTHING_LEFT(s)] = (Item){.rest = -RM_PLACED};
  s->items[RM_NOT_LOOKED_FOR(s)] =
      (Item){.rest = RM_PLACED, .duties = p->num_ticks};
}

Search rm_search_begin(RmPacking *p, int64_t work) {
  Search s = {.packing = p, .most_work = work};
  s.items = RM_NEW_ARRAY(p->pool, Item, p->count + 2);
  if (!p->is_plain)
    list_rises(&s);
  reset_items(&s);
  list_meetings(&s);
  list_covers(&s);
  find_links(&s);
  s.offsets = RM_NEW_ARRAY(p->pool, int64_t, p->count);
  s.pending = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.limit = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.witness = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s.sky = RM_NEW_ARRAY(p->pool, int64_t, p->num_ticks);
  s.covered_to = RM_NEW_ARRAY(p->pool, bool, p->num_ticks + 1);
  s.covered_from = RM_NEW_ARRAY(p->pool, bool, p->num_ticks + 1);
  list_starting(&s);
  s.links = RM_NEW_ARRAY(p->pool, int32_t, p->num_ticks);
  s.order = rm_branch_order_create(p, s.pending);
  return s;
}

/*===-- Giving up ---------------------------------------------------------===*/

bool rm_search_refuse(Search *s, int64_t arena) {
  if (arena <= s->capacity)
    return false;
  s->refused = arena < s->refused ? arena : s->refused;
  return true;
}

static void bear_witness(Search *s, int32_t tick, int32_t item) {
  RmOldWitness change = {tick, s->witness[tick]};
  rm_vec_push(s->packing->pool, &s->changes, change);
  s->witness[tick] = item;
  --s->items[change.witness].duties;
  ++s->items[item].duties;
}

/* False if all that is pending stands too high. */
static bool find_witness(Search *s, int32_t tick) {
  int64_t lowest = RM_PLACED, most = s->limit[tick] - s->pending[tick];
  for (int32_t node = tick + s->leaves; node; node /= 2) {
    const int32_t *i = s->covers + s->first_cover[node];
    const int32_t *end = s->covers + s->first_cover[node + 1];
    s->work += end - i;
    for (; i < end; ++i) {
      if (s->items[*i].rest <= most)
        return bear_witness(s, tick, *i), true;
      lowest = s->items[*i].rest < lowest ? s->items[*i].rest : lowest;
    }
  }
  if (lowest < RM_PLACED)
    return !rm_search_refuse(s, s->capacity + lowest - most);
  return bear_witness(s, tick, RM_NOTHING_LEFT(s)), true;
}

bool rm_search_ticks_hold(Search *s, int32_t lower, int32_t upper) {
  s->work += upper - lower;
  for (int32_t t = lower; t < upper; ++t)
    if (s->items[s->witness[t]].rest + s->pending[t] > s->limit[t] &&
        !find_witness(s, t))
      return false;
  return true;
}

/* The highest offset at which what is pending in `part` may start. */
int64_t rm_search_highest_start(Search *s, const Part *part) {
  int64_t highest = INT64_MAX;
  s->work += part->upper - part->lower;
  for (int32_t t = part->lower; t < part->upper; ++t)
    if (s->limit[t] - s->pending[t] < highest)
      highest = s->limit[t] - s->pending[t];
  return highest;
}

/*===-- Placing -----------------------------------------------------------===*/

static void lift(Search *s, int32_t item, int64_t rest) {
  RmLift old = {s->items[item].rest, item};
  rm_vec_push(s->packing->pool, &s->lifts, old);
  s->items[item].rest = rest;
}

/* Those that may meet `item`: its own list, or all of the part. */
static const int32_t *list_others(const Search *s, const Part *part,
                                  int32_t item, size_t *count) {
  *count = part->count;
  if (!s->others)
    return s->members.items + part->first;
  size_t own = (size_t)(s->first_other[item + 1] - s->first_other[item]);
  if (own >= *count)
    return s->members.items + part->first;
  *count = own;
  return s->others + s->first_other[item];
}

/* False if an item has no place, or a tick no room left. `*is_free`: nothing
 * unplaced meets the item. */
bool rm_search_lift_others(Search *s, const Part *part, int32_t item,
                           int64_t offset, bool *is_free) {
  const RmPacking *p = s->packing;
  Item it = s->items[item];
  int32_t begin = it.duties ? it.lower : p->num_ticks;
  int32_t end = it.duties ? it.upper : 0;
  size_t count;
  const int32_t *others = list_others(s, part, item, &count);
  *is_free = true;
  s->work += (int64_t)count;
  for (size_t k = 0; k < count; ++k) {
    const Item *other = &s->items[others[k]];
    int64_t rest = other->rest;
    if (rest >= RM_PLACED || (rest >= offset + it.size && !*is_free))
      continue;
    int64_t rise = rise_of(s, item, others[k]);
    *is_free &= !rise;
    if (!rise || rest >= offset + rise)
      continue;
    rest = rm_packing_legal(p, others[k], offset + rise);
    if (rest == RM_NOWHERE)
      return false;
    lift(s, others[k], rest);
    if (!other->duties)
      continue;
    begin = other->lower < begin ? other->lower : begin;
    end = other->upper > end ? other->upper : end;
  }
  return rm_search_ticks_hold(s, begin, end);
}

static void add_pending(Search *s, int32_t item, int64_t sign) {
  const RmPacking *p = s->packing;
  for (int32_t k = p->first_segment[item]; k < p->first_segment[item + 1]; ++k)
    for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
      s->pending[t] += sign * p->segments[k].size;
}

static void undo_to(Search *s, size_t lifts, size_t changes) {
  while (s->lifts.count > lifts) {
    RmLift old = s->lifts.items[--s->lifts.count];
    s->items[old.item].rest = old.rest;
  }
  while (s->changes.count > changes) {
    RmOldWitness old = s->changes.items[--s->changes.count];
    --s->items[s->witness[old.tick]].duties;
    ++s->items[old.witness].duties;
    s->witness[old.tick] = old.witness;
  }
}

/* Whether some tick is linked to the next one no more. */
bool rm_search_unlink_ticks(Search *s, int32_t item) {
  bool cut = false;
  for (int32_t t = s->first[item]; t + 1 < s->after[item]; ++t)
    cut |= --s->links[t] == 0;
  return cut;
}

void rm_search_link_ticks(Search *s, int32_t item) {
  for (int32_t t = s->first[item]; t + 1 < s->after[item]; ++t)
    ++s->links[t];
}

/*===-- One item ---------------------------------------------------------===*/

static void raise_sky(Search *s, Choice c) {
  const Item *item = &s->items[c.item];
  size_t count = (size_t)(item->upper - item->lower);
  rm_vec_reserve(s->packing->pool, &s->skies, s->skies.count + count);
  memcpy(s->skies.items + s->skies.count, s->sky + item->lower,
         count * sizeof *s->sky);
  s->skies.count += count;
  for (int32_t t = item->lower; t < item->upper; ++t)
    s->sky[t] = c.offset + item->size;
}

static void lower_sky(Search *s, int32_t i) {
  const Item *item = &s->items[i];
  size_t count = (size_t)(item->upper - item->lower);
  s->skies.count -= count;
  memcpy(s->sky + item->lower, s->skies.items + s->skies.count,
         count * sizeof *s->sky);
}

void rm_search_put(Search *s, Choice c) {
  if (s->asks_to_fill)
    raise_sky(s, c);
  lift(s, c.item, RM_PLACED);
  s->offsets[c.item] = c.offset;
  add_pending(s, c.item, -1);
}

void rm_search_take_back(Search *s, int32_t item, size_t lifts,
                         size_t changes) {
  if (s->asks_to_fill)
    lower_sky(s, item);
  add_pending(s, item, 1);
  undo_to(s, lifts, changes);
}

/*===-- All of it ---------------------------------------------------------===*/

/* Of reserved bytes only what lies below the capacity is in the way. */
void rm_search_clip_reserved(Search *s) {
  RmPacking *p = s->packing;
  for (int32_t i = p->count - p->num_taken; i < p->count; ++i) {
    int64_t size = s->capacity - p->fixed[i];
    size = size < p->bytes[i] ? size : p->bytes[i];
    p->size[i] = p->segments[p->first_segment[i]].size = size > 0 ? size : 0;
  }
}

void rm_search_start_over(Search *s) {
  const RmPacking *p = s->packing;
  rm_search_clip_reserved(s);
  for (int32_t t = 0; t < p->num_ticks; ++t) {
    s->pending[t] = s->links[t] = s->sky[t] = 0;
    s->limit[t] = s->capacity;
    s->witness[t] = RM_NOT_LOOKED_FOR(s);
  }
  reset_items(s);
  s->members.count = 0;
  for (int32_t i = 0; i < p->count; ++i) {
    s->items[i].rest = p->size[i] ? rm_packing_legal(p, i, 0) : RM_PLACED;
    if (!p->size[i])
      continue;
    rm_vec_push(p->pool, &s->members, i);
    add_pending(s, i, 1);
    rm_search_link_ticks(s, i);
    for (int32_t k = p->first_segment[i]; k < p->first_segment[i + 1]; ++k) {
      int64_t pad = p->segments[k].size - p->segments[k].bytes;
      for (int32_t t = p->segments[k].lower; t < p->segments[k].upper; ++t)
        if (s->capacity + pad > s->limit[t])
          s->limit[t] = s->capacity + pad;
    }
  }
}
