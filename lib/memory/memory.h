/* lib/memory/memory.h - offsets in an arena.
 *
 * A buffer is alive in [lower, upper) of abstract ticks; two buffers whose
 * lives meet may not share a byte. The answer is always a placement, the best
 * found, with a lower bound on any. */
#ifndef RM_MEMORY_MEMORY_H
#define RM_MEMORY_MEMORY_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmBuffer {
  int64_t lower, upper; /* ticks, half-open; lower < upper */
  int64_t size;         /* bytes, 0 is allowed */
  int64_t alignment;    /* a power of two; 0 means 1 */
  int64_t fixed;        /* the offset it must have, or -1 */
} RmBuffer;

typedef struct RmPlacement {
  int64_t *offsets;    /* one a buffer */
  int64_t arena;       /* max(offset + size) */
  int64_t lower_bound; /* no placement is smaller */
} RmPlacement;

/* Deterministic; work grows with `effort` (0..3). */
RmPlacement rm_memory_place(const RmBuffer *buffers, int32_t count, int effort,
                            RmPool *pool);

/* By brute force: null if no two buffers overlap and all constraints hold, else
 * what is wrong, naming two buffers, their lives and offsets. */
const char *rm_memory_check(const RmBuffer *buffers, int32_t count,
                            const RmPlacement *placement, RmPool *pool);

#endif
