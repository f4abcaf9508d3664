/* lib/support/pool.c - memory that lives as long as one call of the core.
 *
 * Blocks double in size up to a limit, so that small calls stay small and
 * large ones ask the system seldom. A request larger than a block gets a block
 * of its own. This file is the only door to malloc in the core; tests let the
 * n-th call through it fail. */
#include "support/pool.h"

#include "support/door.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 1 << 12, LARGEST_BLOCK = 1 << 24 };

struct RmPoolBlock {
  struct RmPoolBlock *next;
  size_t room, used;
  max_align_t bytes[];
};

static RmPool *create(int aborts) {
  RmPool *pool = rm_door_allocate(sizeof *pool);
  if (pool) {
    pool->blocks = NULL;
    pool->aborts = aborts;
  }
  return pool;
}

RmPool *rm_pool_create(void) { return create(0); }

static void give_up(RmPool *pool) {
  if (pool && !pool->aborts)
    longjmp(pool->exhausted, 1);
  fputs("remat: out of memory\n", stderr);
  abort();
}

RmPool *rm_pool_create_or_abort(void) {
  RmPool *pool = create(1);
  if (!pool)
    give_up(NULL);
  return pool;
}

void rm_pool_destroy(RmPool *pool) {
  if (!pool)
    return;
  struct RmPoolBlock *next;
  for (struct RmPoolBlock *b = pool->blocks; b; b = next) {
    next = b->next;
    free(b);
  }
  free(pool);
}

static size_t next_block_size(const RmPool *pool) {
  size_t last = pool->blocks ? pool->blocks->room : FIRST_BLOCK / 2;
  return last >= LARGEST_BLOCK ? LARGEST_BLOCK : 2 * last;
}

static struct RmPoolBlock *add_block(RmPool *pool, size_t bytes) {
  size_t room = next_block_size(pool);
  if (room < bytes)
    room = bytes;
  struct RmPoolBlock *block = NULL;
  if (room <= SIZE_MAX - sizeof *block)
    block = rm_door_allocate(sizeof *block + room);
  if (!block)
    give_up(pool);
  *block = (struct RmPoolBlock){.next = pool->blocks, .room = room};
  return pool->blocks = block;
}

void *rm_pool_alloc(RmPool *pool, size_t bytes) {
  const size_t unit = sizeof(max_align_t);
  if (bytes > SIZE_MAX - unit)
    give_up(pool);
  bytes = (bytes + unit - 1) / unit * unit;
  struct RmPoolBlock *block = pool->blocks;
  if (!block || block->room - block->used < bytes)
    block = add_block(pool, bytes);
  void *memory = (char *)block->bytes + block->used;
  block->used += bytes;
  return memset(memory, 0, bytes);
}

void *rm_pool_grow(RmPool *pool, void *old, size_t old_bytes, size_t bytes) {
  void *memory = rm_pool_alloc(pool, bytes);
  if (old_bytes)
    memcpy(memory, old, old_bytes);
  return memory;
}

size_t rm_pool_bytes(const RmPool *pool) {
  size_t bytes = sizeof *pool;
  for (const struct RmPoolBlock *b = pool->blocks; b; b = b->next)
    bytes += sizeof *b + b->room;
  return bytes;
}

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
