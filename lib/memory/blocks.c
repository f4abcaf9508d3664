/* lib/memory/blocks.c - what fills a rectangle exactly is one item.
 *
 * Where no byte may be wasted, what starts at a tick takes just the bytes of
 * what ends there. So items of which as many bytes end as start at a tick
 * belong together, if they are few enough for this to be no accident. Once the
 * load of what belongs together is the same at all of its ticks it is packed
 * into that load, by itself, and is one item from then on: a block. Blocks
 * become parts of larger ones, until nothing fits together any more. What is
 * left is a smaller problem. Where fewer bytes are alive than elsewhere we may
 * suppose a hole, which fits like an item: two equal changes of the load tell
 * when it begins and ends.
 *
 * Only a try: where bytes may be wasted other placements may be better.
 *
 * Invariant: a block is full at each tick of its life. */

#include "memory/packing.h"

#include "support/vec.h"

#include <stdlib.h>

/* Items that end or start at a tick of which subsets are tried, and those of a
 * block. */
enum { MOST_AT_TICK = 10, MOST_IN_BLOCK = 40 };

/* Where `few` of those at a tick tell of nothing more, equal lives are stacked;
 * then up to `most` are looked at. */
static const struct Style {
  int few, most;
  bool has_holes;
} styles[RM_NUM_BLOCK_STYLES] = {
    {3, MOST_AT_TICK, false},
    {3, MOST_AT_TICK, true},
};

/* Numbers that the search of one block may look at, for each item. */
enum { BLOCK_WORK = 20000 };

typedef struct Node { /* an item, or a block */
  int32_t lower, upper;
  int64_t size;
  int64_t at;     /* its offset in its block */
  int32_t block;  /* -1 if it is in none */
  int32_t joined; /* towards the first of those that belong to it */
  bool is_hole;   /* nothing is there */
} Node;

struct RmBlocks {
  const RmPacking *packing;
  RmPool *pool;
  const struct Style *style;
  int32_t num_items;
  RM_VEC(Node) nodes; /* items, then blocks; a block follows what it holds */
  RmIntVec loose;     /* those in no block that may be put into one */
  int64_t *balance; /* by tick, all 0: bytes that start, less those that end */
};

typedef RmBlocks Blocks;

static Node *node(Blocks *b, int32_t i) { return &b->nodes.items[i]; }

static void begin(Blocks *b) {
  const RmPacking *p = b->packing;
  rm_vec_reserve(b->pool, &b->nodes, 2 * (size_t)p->count);
  for (int32_t i = 0; i < b->num_items; ++i) {
    Node item = {p->lower[i], p->upper[i], p->size[i], 0, -1, i};
    rm_vec_push(b->pool, &b->nodes, item);
    if (p->fixed[i] < 0 && p->alignment[i] <= p->grain)
      rm_vec_push(b->pool, &b->loose, i);
  }
  b->balance = RM_NEW_ARRAY(b->pool, int64_t, p->num_ticks + 1);
}

static int32_t add_block(Blocks *b, int32_t lower, int32_t upper,
                         int64_t size) {
  int32_t i = (int32_t)b->nodes.count;
  Node block = {lower, upper, size, 0, -1, i};
  rm_vec_push(b->pool, &b->nodes, block);
  rm_vec_push(b->pool, &b->loose, i);
  return i;
}

/*===-- Holes -------------------------------------------------------------===*/

enum { MOST_OPEN = 1000 };

typedef struct Hole { /* that starts at a tick */
  int32_t tick;
  int64_t size;
} Hole;

typedef RM_VEC(Hole) Holes;

static void add_hole(Blocks *b, int32_t lower, int32_t upper, int64_t size) {
  node(b, add_block(b, lower, upper, size))->is_hole = true;
}

/* Ends holes of `size` bytes in all at `tick`: one of that size that began not
 * long ago, or the last ones. */
static void end_holes(Blocks *b, Holes *open, int32_t tick, int64_t size) {
  size_t oldest = open->count > MOST_OPEN ? open->count - MOST_OPEN : 0;
  for (size_t k = open->count; k-- > oldest;)
    if (open->items[k].size == size) {
      Hole last = open->items[open->count - 1];
      open->items[open->count - 1] = open->items[k];
      open->items[k] = last;
      break;
    }
  while (size > 0) {
    Hole *last = &open->items[open->count - 1];
    int64_t part = last->size < size ? last->size : size;
    add_hole(b, last->tick, tick, part);
    size -= part, last->size -= part;
    open->count -= !last->size;
  }
}

/* By tick, and 0 behind the last. */
static int64_t *list_loads(Blocks *b) {
  int32_t num_ticks = b->packing->num_ticks;
  int64_t *load = RM_NEW_ARRAY(b->pool, int64_t, num_ticks + 1);
  for (int32_t i = 0; i < b->num_items; ++i) {
    load[node(b, i)->lower] += node(b, i)->size;
    load[node(b, i)->upper] -= node(b, i)->size;
  }
  for (int32_t t = 0; t < num_ticks; ++t)
    load[t + 1] += load[t];
  return load;
}

/* Holes and items together have the greatest load at each tick. */
static void add_holes(Blocks *b) {
  int32_t num_ticks = b->packing->num_ticks;
  int64_t *load = list_loads(b), most = 0, before = 0;
  Holes open = {0};
  for (int32_t t = 0; t < num_ticks; ++t)
    most = load[t] > most ? load[t] : most;
  for (int32_t t = 0; t <= num_ticks; ++t) {
    int64_t free = t < num_ticks ? most - load[t] : 0;
    Hole hole = {t, free - before};
    if (free > before)
      rm_vec_push(b->pool, &open, hole);
    else
      end_holes(b, &open, t, before - free);
    before = free;
  }
}

/* What is in a block by now is loose no more. */
static void drop_held(Blocks *b) {
  size_t kept = 0;
  for (size_t k = 0; k < b->loose.count; ++k)
    if (node(b, b->loose.items[k])->block < 0)
      b->loose.items[kept++] = b->loose.items[k];
  b->loose.count = kept;
}

/*===-- Sorting -----------------------------------------------------------===*/

typedef struct Key {
  int32_t first, second, node;
} Key;

static int compare(const void *left, const void *right) {
  const Key *a = left, *b = right;
  if (a->first != b->first)
    return a->first < b->first ? -1 : 1;
  if (a->second != b->second)
    return a->second < b->second ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static Key *sort_loose(Blocks *b, RmPool *pool, Key (*key)(Blocks *, int32_t)) {
  size_t count = b->loose.count;
  Key *keys = RM_NEW_ARRAY(pool, Key, count);
  for (size_t k = 0; k < count; ++k)
    keys[k] = key(b, b->loose.items[k]);
  if (count)
    qsort(keys, count, sizeof *keys, compare);
  return keys;
}

static Key by_life(Blocks *b, int32_t i) {
  return (Key){node(b, i)->lower, node(b, i)->upper, i};
}

static Key by_end(Blocks *b, int32_t i) {
  return (Key){node(b, i)->upper, 0, i};
}

static int32_t find_first(Blocks *b, int32_t i) {
  while (node(b, i)->joined != i)
    i = node(b, i)->joined = node(b, node(b, i)->joined)->joined;
  return i;
}

static Key by_group(Blocks *b, int32_t i) {
  return (Key){find_first(b, i), 0, i};
}

/*===-- Stacks ------------------------------------------------------------===*/

static void stack(Blocks *b, const Key *keys, size_t count) {
  int64_t size = 0;
  int32_t block = add_block(b, keys->first, keys->second, 0);
  for (size_t k = 0; k < count; ++k) {
    Node *n = node(b, keys[k].node);
    n->block = block, n->at = size;
    size += n->size;
  }
  node(b, block)->size = size;
}

static bool stack_equal_lives(Blocks *b) {
  RmPool *pool = rm_pool_branch(b->pool);
  size_t count = b->loose.count, before = b->nodes.count;
  Key *keys = sort_loose(b, pool, by_life);
  for (size_t k = 0, next; k < count; k = next) {
    for (next = k + 1; next < count && keys[next].first == keys[k].first &&
                       keys[next].second == keys[k].second;)
      ++next;
    if (next > k + 1)
      stack(b, keys + k, next - k);
  }
  rm_pool_destroy(pool);
  drop_held(b);
  return b->nodes.count > before;
}

/*===-- What belongs together ---------------------------------------------===*/

static void join(Blocks *b, int32_t i, int32_t j) {
  i = find_first(b, i), j = find_first(b, j);
  node(b, i > j ? i : j)->joined = i > j ? j : i;
}

/* Of those at `tick`: a smallest set, of at most `most`, of which as many bytes
 * end as start; 0 if there is none. */
static uint32_t find_balanced(Blocks *b, const int32_t *at, int count,
                              int32_t tick, int most) {
  uint32_t found = 0;
  for (uint32_t set = 3; set < 1u << count; ++set) {
    int members = __builtin_popcount(set);
    if (members > most)
      continue;
    int64_t sum = 0;
    for (int k = 0; k < count; ++k)
      if (set >> k & 1)
        sum += node(b, at[k])->lower == tick ? node(b, at[k])->size
                                             : -node(b, at[k])->size;
    if (!sum)
      found = set, most = members - 1;
  }
  return found;
}

static void join_at_tick(Blocks *b, int32_t *at, int count, int32_t tick,
                         int most) {
  for (uint32_t set; (set = find_balanced(b, at, count, tick, most));) {
    int kept = 0;
    int32_t first = at[__builtin_ctz(set)];
    for (int k = 0; k < count; ++k)
      if (set >> k & 1)
        join(b, first, at[k]);
      else
        at[kept++] = at[k];
    count = kept;
  }
}

static void join_at_ticks(Blocks *b, int most) {
  RmPool *pool = rm_pool_branch(b->pool);
  size_t count = b->loose.count;
  const Key *start = sort_loose(b, pool, by_life), *last_start = start + count;
  const Key *end = sort_loose(b, pool, by_end), *last_end = end + count;
  for (size_t k = 0; k < count; ++k)
    node(b, b->loose.items[k])->joined = b->loose.items[k];
  while (start < last_start) {
    int32_t tick = start->first, at[MOST_AT_TICK];
    int found = 0, limit = b->style->most;
    while (end < last_end && end->first < tick)
      ++end;
    for (; end < last_end && end->first == tick; ++end)
      if (found++ < limit)
        at[found - 1] = end->node;
    for (; start < last_start && start->first == tick; ++start)
      if (found++ < limit)
        at[found - 1] = start->node;
    if (found <= limit)
      join_at_tick(b, at, found, tick, most);
  }
  rm_pool_destroy(pool);
}

/*===-- Blocks ------------------------------------------------------------===*/

/* The rectangle that they fill, at offset 0; of size 0 if they do not. */
static Node measure(Blocks *b, const Key *keys, size_t count) {
  Node hull = {.lower = INT32_MAX};
  for (size_t k = 0; k < count; ++k) {
    const Node *n = node(b, keys[k].node);
    b->balance[n->lower] += n->size, b->balance[n->upper] -= n->size;
    hull.lower = n->lower < hull.lower ? n->lower : hull.lower;
    hull.upper = n->upper > hull.upper ? n->upper : hull.upper;
  }
  hull.size = b->balance[hull.lower];
  b->balance[hull.lower] = b->balance[hull.upper] = 0;
  bool is_full = true;
  for (size_t k = 0; k < count; ++k) {
    const Node *n = node(b, keys[k].node);
    is_full &= !b->balance[n->lower] && !b->balance[n->upper];
  }
  for (size_t k = 0; k < count; ++k) {
    const Node *n = node(b, keys[k].node);
    b->balance[n->lower] = b->balance[n->upper] = 0;
  }
  hull.size = is_full ? hull.size : 0;
  return hull;
}

static bool pack_block(Blocks *b, const Key *keys, size_t count, int64_t load) {
  RmPool *pool = rm_pool_branch(b->pool);
  RmBuffer *buffers = RM_NEW_ARRAY(pool, RmBuffer, count);
  for (size_t k = 0; k < count; ++k) {
    const Node *n = node(b, keys[k].node);
    buffers[k] = (RmBuffer){n->lower, n->upper, n->size, b->packing->grain, -1};
  }
  RmMemoryProblem problem = {
      .buffers = buffers, .count = (int32_t)count, .capacity = load};
  RmPacking *p = rm_packing_create(&problem, pool);
  RmBestPlacement best = {.offsets = RM_NEW_ARRAY(pool, int64_t, count),
                          .arena = RM_NOWHERE};
  rm_canonical_search(p, BLOCK_WORK * (int64_t)count, &best);
  for (size_t k = 0; k < count && best.arena == load; ++k)
    node(b, keys[k].node)->at = best.offsets[k];
  rm_pool_destroy(pool);
  return best.arena == load;
}

static void make_block(Blocks *b, const Key *keys, size_t count) {
  if (count < 2 || count > MOST_IN_BLOCK)
    return;
  Node hull = measure(b, keys, count);
  if (!hull.size || !pack_block(b, keys, count, hull.size))
    return;
  int32_t block = add_block(b, hull.lower, hull.upper, hull.size);
  for (size_t k = 0; k < count; ++k)
    node(b, keys[k].node)->block = block;
}

static bool make_blocks(Blocks *b, int most) {
  size_t count = b->loose.count, before = b->nodes.count;
  join_at_ticks(b, most);
  RmPool *pool = rm_pool_branch(b->pool);
  Key *keys = sort_loose(b, pool, by_group);
  for (size_t k = 0, next; k < count; k = next) {
    for (next = k + 1; next < count && keys[next].first == keys[k].first;)
      ++next;
    make_block(b, keys + k, next - k);
  }
  rm_pool_destroy(pool);
  drop_held(b);
  return b->nodes.count > before;
}

/* Few bytes at a tick tell for sure what fits together; that equal lives do is
 * a guess; many bytes may do so by chance. */
static bool make_some_blocks(Blocks *b) {
  for (int most = 2; most <= b->style->most; ++most)
    if (make_blocks(b, most) || (most == b->style->few && stack_equal_lives(b)))
      return true;
  return false;
}

/*===-- The smaller problem -----------------------------------------------===*/

RmBlocks *rm_blocks_assemble(const RmPacking *p, int style, RmPool *pool) {
  Blocks *b = RM_NEW(pool, Blocks);
  b->packing = p, b->pool = pool;
  b->num_items = p->count - p->num_taken;
  begin(b);
  b->style = &styles[style];
  if (b->style->has_holes)
    add_holes(b);
  while (make_some_blocks(b))
    ;
  return b;
}

static RmBuffer buffer_of(Blocks *b, int32_t i) {
  const RmPacking *p = b->packing;
  const Node *n = node(b, i);
  RmBuffer buffer = {n->lower, n->upper, n->size, p->grain, -1};
  if (i < b->num_items) {
    buffer.size = p->bytes[i];
    buffer.alignment = p->alignment[i];
    buffer.fixed = p->fixed[i];
  }
  return buffer;
}

RmMemoryProblem rm_blocks_problem(RmBlocks *b) {
  const RmMemoryProblem *whole = b->packing->problem;
  RmBuffer *buffers = RM_NEW_ARRAY(b->pool, RmBuffer, b->nodes.count);
  RmMemoryProblem problem = {.buffers = buffers,
                             .capacity = whole->capacity,
                             .arena_alignment = whole->arena_alignment,
                             .reserved = whole->reserved,
                             .num_reserved = whole->num_reserved};
  for (int32_t i = 0; i < (int32_t)b->nodes.count; ++i)
    if (node(b, i)->block < 0 && !node(b, i)->is_hole)
      buffers[problem.count++] = buffer_of(b, i);
  return problem;
}

int64_t rm_blocks_spread(RmBlocks *b, const int64_t *left, int64_t *offsets) {
  const RmPacking *p = b->packing;
  int64_t arena = 0;
  for (int32_t i = 0; i < (int32_t)b->nodes.count; ++i)
    if (node(b, i)->block < 0 && !node(b, i)->is_hole)
      node(b, i)->at = *left++;
  for (int32_t i = (int32_t)b->nodes.count - 1; i >= 0; --i)
    if (node(b, i)->block >= 0)
      node(b, i)->at += node(b, node(b, i)->block)->at;
  for (int32_t i = 0; i < p->count; ++i) {
    offsets[i] = i < b->num_items ? node(b, i)->at : p->fixed[i];
    int64_t top = rm_packing_top(p, i, offsets[i]);
    arena = top > arena ? top : arena;
  }
  return arena;
}
