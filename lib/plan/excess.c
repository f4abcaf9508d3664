/* lib/plan/excess.c - bytes over the budget at each slot of a schedule. */
#include "plan/excess.h"

static inline int64_t positive(int64_t x) { return x > 0 ? x : 0; }

static inline int32_t block_end(const RmExcess *e, int32_t block) {
  int32_t end = (block + 1) * RM_EXCESS_BLOCK;
  return end < e->slots ? end : e->slots;
}

void rm_excess_reset(RmExcess *e, const int64_t *held, int32_t slots,
                     int64_t budget, RmPool *pool) {
  int32_t blocks = slots / RM_EXCESS_BLOCK + 1;
  if (slots > e->capacity) {
    int32_t old = e->capacity;
    int32_t old_blocks = old ? old / RM_EXCESS_BLOCK + 1 : 0;
    e->capacity = slots;
    RM_GROW_ARRAY(pool, e->over, old, slots);
    RM_GROW_ARRAY(pool, e->shift, old_blocks, blocks);
    RM_GROW_ARRAY(pool, e->most, old_blocks, blocks);
  }
  e->slots = slots;
  e->area = 0;
  for (int32_t slot = 0; slot < slots; ++slot)
    e->over[slot] = held[slot] - budget - RM_EXCESS_EMPTY;
  for (int32_t block = 0; block < blocks; ++block) {
    e->shift[block] = 0;
    e->most[block] = -budget;
  }
}

/*===-- Adding to a run of slots ------------------------------------------===*/

/* Adds to `count` slots; what the area grows by. `*most` is then the most of
 * them, with `shift`. */
__attribute__((target_clones("avx2", "default"))) static int64_t
add_to_run(int64_t *restrict over, int32_t count, int64_t shift, int64_t bytes,
           int64_t *restrict most) {
  int64_t before = 0, after = 0, top = INT64_MIN;
  for (int32_t i = 0; i < count; ++i) {
    int64_t x = over[i] + shift, y = x + bytes;
    before += x > 0 ? x : 0;
    after += y > 0 ? y : 0;
    top = y > top ? y : top;
    over[i] += bytes;
  }
  *most = top;
  return after - before;
}

static void add_to_part(RmExcess *e, int32_t block, int32_t first, int32_t end,
                        int64_t bytes) {
  int64_t top, before = e->most[block];
  e->area +=
      add_to_run(e->over + first, end - first, e->shift[block], bytes, &top);
  bool is_whole =
      first == block * RM_EXCESS_BLOCK && end == block_end(e, block);
  e->most[block] = is_whole || top > before ? top : before;
  e->work += 2 + (end - first) / 8;
}

static void add_to_block(RmExcess *e, int32_t block, int64_t bytes) {
  int64_t most = e->most[block];
  if (most > 0 || most + bytes > 0) {
    add_to_part(e, block, block * RM_EXCESS_BLOCK, block_end(e, block), bytes);
    return;
  }
  e->shift[block] += bytes;
  e->most[block] += bytes;
  e->work += 1;
}

void rm_excess_add(RmExcess *e, int32_t first, int32_t last, int64_t bytes) {
  if (first > last)
    return;
  int32_t from = first / RM_EXCESS_BLOCK, to = last / RM_EXCESS_BLOCK;
  if (from == to) {
    add_to_part(e, from, first, last + 1, bytes);
    return;
  }
  add_to_part(e, from, first, block_end(e, from), bytes);
  for (int32_t block = from + 1; block < to; ++block)
    add_to_block(e, block, bytes);
  add_to_part(e, to, to * RM_EXCESS_BLOCK, last + 1, bytes);
}

/*===-- What taking away would give ---------------------------------------===*/

__attribute__((target_clones("avx2", "default"))) static int64_t
relief_of_run(const int64_t *over, int32_t count, int64_t shift,
              int64_t bytes) {
  int64_t relief = 0;
  for (int32_t i = 0; i < count; ++i) {
    int64_t x = over[i] + shift, y = x - bytes;
    relief += (x > 0 ? x : 0) - (y > 0 ? y : 0);
  }
  return relief;
}

int64_t rm_excess_relief(RmExcess *e, int32_t first, int32_t last,
                         int64_t bytes) {
  int64_t relief = 0;
  while (e->area && first <= last) {
    int32_t block = first / RM_EXCESS_BLOCK, end = block_end(e, block);
    if (end > last + 1)
      end = last + 1;
    e->work += 1;
    if (e->most[block] > 0) {
      relief +=
          relief_of_run(e->over + first, end - first, e->shift[block], bytes);
      e->work += (end - first) / 8;
    }
    first = end;
  }
  return relief;
}

/*===-- Steps -------------------------------------------------------------===*/

void rm_excess_occupy(RmExcess *e, int32_t slot, int64_t workspace) {
  int32_t block = slot / RM_EXCESS_BLOCK;
  e->over[slot] += RM_EXCESS_EMPTY + workspace;
  int64_t over = rm_excess_at(e, slot);
  e->area += positive(over);
  if (over > e->most[block])
    e->most[block] = over;
}

void rm_excess_vacate(RmExcess *e, int32_t slot, int64_t workspace) {
  e->area -= positive(rm_excess_at(e, slot));
  e->over[slot] -= RM_EXCESS_EMPTY + workspace;
}

void rm_excess_move(RmExcess *e, int32_t slot, int32_t to, int64_t alone) {
  int32_t block = to / RM_EXCESS_BLOCK;
  int64_t over = rm_excess_at(e, slot);
  e->over[to] = over - e->shift[block];
  e->over[slot] -= alone + RM_EXCESS_EMPTY;
  if (over > e->most[block])
    e->most[block] = over;
  e->work += 2;
}

/*===-- Looking -----------------------------------------------------------===*/

/* The first slot in [first, end) that is over the budget, or -1. What a walk
 * over a whole block finds is noted, so that it is not walked again in vain. */
static int32_t find_in_block(RmExcess *e, int32_t block, int32_t first,
                             int32_t end) {
  if (e->most[block] <= 0)
    return -1;
  for (int32_t slot = first; slot < end; ++slot)
    if (rm_excess_at(e, slot) > 0)
      return slot;
  e->work += (end - first) / 8;
  if (first == block * RM_EXCESS_BLOCK && end == block_end(e, block))
    e->most[block] = 0;
  return -1;
}

int32_t rm_excess_find(RmExcess *e, int32_t slot) {
  int32_t blocks = (e->slots - 1) / RM_EXCESS_BLOCK + 1;
  int32_t home = slot / RM_EXCESS_BLOCK;
  int32_t found = find_in_block(e, home, slot, block_end(e, home));
  for (int32_t i = 1; i <= blocks && found < 0; ++i) {
    int32_t block = home + i < blocks ? home + i : home + i - blocks;
    found =
        find_in_block(e, block, block * RM_EXCESS_BLOCK, block_end(e, block));
  }
  return found;
}

int32_t rm_excess_fullest(const RmExcess *e) {
  int32_t best = 0;
  for (int32_t slot = 1; slot < e->slots; ++slot)
    if (rm_excess_at(e, slot) > rm_excess_at(e, best))
      best = slot;
  return best;
}
