/* lib/support/pool.h - memory that lives as long as one call of the core.
 *
 * A pool hands out zeroed memory and frees all of it at once. Nothing in it is
 * freed singly and nothing in it escapes the call that made it. When memory
 * runs out the pool jumps to its `exhausted` target, which the public function
 * that owns the pool sets right after it made it:
 *
 *     RmPool *pool = rm_pool_create();
 *     if (!pool || setjmp(pool->exhausted))
 *       return rm_pool_destroy(pool), null_plan;
 *
 * The core never calls back into C++, so the jump crosses C frames only. Code
 * that does (lib/ir, lib/pass) uses rm_pool_create_or_abort.
 *
 * Scratch goes into a branch, which can be dropped before its trunk: what a
 * function returns it puts into the pool it was given, all else into a branch
 * of that, dropped at the end. A branch that runs out jumps where its trunk
 * would; destroying the trunk destroys what is left of its branches. */
#ifndef RM_SUPPORT_POOL_H
#define RM_SUPPORT_POOL_H

#include <setjmp.h>
#include <stddef.h>

typedef struct RmPool {
  jmp_buf exhausted; /* where to go when memory ran out; of a trunk */
  int aborts;        /* true: abort instead of jumping */
  struct RmPoolBlock *blocks;
  struct RmPool *trunk;    /* null: it is one */
  struct RmPool *branches; /* the last one made; then by `next` */
  struct RmPool *next;
  size_t bytes, most; /* of it and its branches: now, ever */
} RmPool;

/* Null when memory ran out. */
RmPool *rm_pool_create(void);

/* A pool that ends the process with a message when memory runs out. */
RmPool *rm_pool_create_or_abort(void);

/* A pool for scratch; never null. */
RmPool *rm_pool_branch(RmPool *trunk);

/* Frees everything the pool and its branches handed out; null is allowed. */
void rm_pool_destroy(RmPool *pool);

/* `bytes` zeroed bytes, aligned for any type; never null. */
void *rm_pool_alloc(RmPool *pool, size_t bytes);

/* A larger copy of `old` (`old_bytes` long, as it was asked for), zeroed behind
 * it; in its place where nothing was handed out since. `old` is no more. */
void *rm_pool_grow(RmPool *pool, void *old, size_t old_bytes, size_t bytes);

/* The most that the pool and its branches held of the system's memory at once,
 * in bytes. */
size_t rm_pool_bytes(const RmPool *pool);

char *rm_pool_strdup(RmPool *pool, const char *text);

/* As sprintf, into memory of the pool. */
char *rm_pool_printf(RmPool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define RM_NEW(pool, type) ((type *)rm_pool_alloc((pool), sizeof(type)))
#define RM_NEW_ARRAY(pool, type, count)                                        \
  ((type *)rm_pool_alloc((pool), (size_t)(count) * sizeof(type)))

/* Makes `array` one of `count` items in place of `old_count`. */
#define RM_GROW_ARRAY(pool, array, old_count, count)                           \
  ((array) = rm_pool_grow((pool), (array),                                     \
                          (size_t)(old_count) * sizeof *(array),               \
                          (size_t)(count) * sizeof *(array)))

#endif
