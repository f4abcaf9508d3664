/* lib/support/pool.c - memory that lives as long as one call of the core.
 *
 * Blocks double in size up to a limit, so that small calls stay small and
 * large ones ask the system seldom. A large request gets a block of its own,
 * and growing it leaves nothing behind. This file is the only door to malloc in
 * the core; tests let the n-th call through it fail. */
#include "support/pool.h"

#include "support/door.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 20, LARGE = 1 << 14 };

/* The first of the list is the one that small requests are taken from; those of
 * large requests stand behind it. */
struct RmPoolBlock {
  struct RmPoolBlock *next, *before;
  size_t room, used;
  max_align_t bytes[];
};

static void count(RmPool *pool, size_t bytes) {
  for (; pool; pool = pool->trunk) {
    pool->bytes += bytes;
    if (pool->bytes > pool->most)
      pool->most = pool->bytes;
  }
}

static void count_off(RmPool *pool, size_t bytes) {
  for (; pool; pool = pool->trunk)
    pool->bytes -= bytes;
}

static RmPool *create(RmPool *trunk, int aborts) {
  RmPool *pool = rm_door_allocate(sizeof *pool);
  if (!pool)
    return NULL;
  pool->aborts = aborts;
  pool->blocks = NULL;
  pool->branches = NULL;
  pool->bytes = pool->most = 0;
  pool->trunk = trunk;
  pool->next = trunk ? trunk->branches : NULL;
  if (trunk)
    trunk->branches = pool;
  count(pool, sizeof *pool);
  return pool;
}

RmPool *rm_pool_create(void) { return create(NULL, 0); }

static void give_up(RmPool *pool) {
  while (pool && pool->trunk)
    pool = pool->trunk;
  if (pool && !pool->aborts)
    longjmp(pool->exhausted, 1);
  fputs("remat: out of memory\n", stderr);
  abort();
}

RmPool *rm_pool_create_or_abort(void) {
  RmPool *pool = create(NULL, 1);
  if (!pool)
    give_up(NULL);
  return pool;
}

RmPool *rm_pool_branch(RmPool *trunk) {
  RmPool *pool = create(trunk, 0);
  if (!pool)
    give_up(trunk);
  return pool;
}

static void leave_trunk(RmPool *branch) {
  RmPool **at = &branch->trunk->branches;
  while (*at != branch)
    at = &(*at)->next;
  *at = branch->next;
  count_off(branch->trunk, branch->bytes);
}

void rm_pool_destroy(RmPool *pool) {
  if (!pool)
    return;
  while (pool->branches)
    rm_pool_destroy(pool->branches);
  if (pool->trunk)
    leave_trunk(pool);
  struct RmPoolBlock *next;
  for (struct RmPoolBlock *b = pool->blocks; b; b = next) {
    next = b->next;
    free(b);
  }
  free(pool);
}

/* A block not yet in the list. */
static struct RmPoolBlock *create_block(RmPool *pool, size_t room) {
  struct RmPoolBlock *block = NULL;
  if (room <= SIZE_MAX - sizeof *block)
    block = rm_door_allocate(sizeof *block + room);
  if (!block)
    give_up(pool);
  *block = (struct RmPoolBlock){.room = room};
  count(pool, sizeof *block + room);
  return block;
}

static void link_block(RmPool *pool, struct RmPoolBlock *block,
                       struct RmPoolBlock *before) {
  struct RmPoolBlock **at = before ? &before->next : &pool->blocks;
  block->before = before;
  block->next = *at;
  if (block->next)
    block->next->before = block;
  *at = block;
}

static void drop_block(RmPool *pool, struct RmPoolBlock *block) {
  *(block->before ? &block->before->next : &pool->blocks) = block->next;
  if (block->next)
    block->next->before = block->before;
  count_off(pool, sizeof *block + block->room);
  free(block);
}

/* With room for `bytes`, which are no large request. */
static struct RmPoolBlock *add_block(RmPool *pool, size_t bytes) {
  size_t last = pool->blocks ? pool->blocks->room : FIRST_BLOCK / 2;
  size_t room = last >= LARGEST_BLOCK ? LARGEST_BLOCK : 2 * last;
  while (room < bytes)
    room *= 2;
  struct RmPoolBlock *block = create_block(pool, room);
  link_block(pool, block, NULL);
  return block;
}

static size_t round_up(size_t bytes) {
  const size_t unit = sizeof(max_align_t);
  return (bytes + unit - 1) / unit * unit;
}

static struct RmPoolBlock *add_large(RmPool *pool, size_t bytes) {
  if (!pool->blocks)
    add_block(pool, 0);
  struct RmPoolBlock *block = create_block(pool, bytes);
  block->used = bytes;
  link_block(pool, block, pool->blocks);
  return block;
}

void *rm_pool_alloc(RmPool *pool, size_t bytes) {
  if (bytes > SIZE_MAX - sizeof(max_align_t))
    give_up(pool);
  bytes = round_up(bytes);
  if (bytes >= LARGE)
    return memset(add_large(pool, bytes)->bytes, 0, bytes);
  struct RmPoolBlock *block = pool->blocks;
  if (!block || block->room - block->used < bytes)
    block = add_block(pool, bytes);
  void *memory = (char *)block->bytes + block->used;
  block->used += bytes;
  return memset(memory, 0, bytes);
}

/* Whether what ends at the end of what was handed out could be made longer. */
static bool extend(RmPool *pool, const char *old, size_t old_bytes,
                   size_t bytes) {
  struct RmPoolBlock *block = pool->blocks;
  size_t before = round_up(old_bytes), after = round_up(bytes);
  if (!block || !old_bytes || before >= LARGE || after >= LARGE ||
      before > block->used || after < before ||
      old != (char *)block->bytes + block->used - before ||
      after - before > block->room - block->used)
    return false;
  memset((char *)block->bytes + block->used, 0, after - before);
  block->used += after - before;
  return true;
}

void *rm_pool_grow(RmPool *pool, void *old, size_t old_bytes, size_t bytes) {
  if (bytes <= SIZE_MAX - sizeof(max_align_t) &&
      extend(pool, old, old_bytes, bytes))
    return old;
  void *memory = rm_pool_alloc(pool, bytes);
  if (old_bytes)
    memcpy(memory, old, old_bytes);
  if (round_up(old_bytes) >= LARGE)
    drop_block(pool,
               (struct RmPoolBlock *)((char *)old -
                                      offsetof(struct RmPoolBlock, bytes)));
  return memory;
}

size_t rm_pool_bytes(const RmPool *pool) { return pool->most; }

char *rm_pool_strdup(RmPool *pool, const char *text) {
  size_t bytes = strlen(text) + 1;
  return memcpy(rm_pool_alloc(pool, bytes), text, bytes);
}

char *rm_pool_printf(RmPool *pool, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = rm_pool_alloc(pool, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}
