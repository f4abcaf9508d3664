/* lib/memory/memory.h - offsets in an arena.
 *
 * A buffer is alive in [lower, upper) of abstract ticks; two buffers whose
 * lives meet may not share a byte. The answer is the best placement found, with
 * a lower bound on the arena of any. A memory space is a problem of its own. */
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

/* The buffer holds nothing in [lower, upper), which lies within its life:
 * others may have its bytes meanwhile. Without holes a life is one interval,
 * the safe choice: a hole that is none (what a loop carries around) corrupts
 * data. */
typedef struct RmHole {
  int32_t buffer;
  int64_t lower, upper;
} RmHole;

typedef struct RmByteRange {
  int64_t begin, end; /* half-open */
} RmByteRange;

typedef struct RmBufferPair {
  int32_t a, b;
} RmBufferPair;

/* Only `buffers` is needed; what is left zero asks for nothing. */
typedef struct RmMemoryProblem {
  const RmBuffer *buffers;
  int32_t count;
  int64_t capacity;        /* if given, an arena that small is good enough */
  int64_t arena_alignment; /* the arena is a multiple of this power of two */
  int64_t bank_bytes;      /* no buffer crosses a multiple of it. The same
                              splits one space into several allocations */
  const int32_t *banks;    /* by buffer: the bank it must lie in, or -1 */
  const RmHole *holes;
  int32_t num_holes;
  const RmByteRange *reserved; /* bytes that no buffer may touch; they count for
                                  the arena only below the end of a buffer */
  int32_t num_reserved;
  const RmBufferPair *together; /* at one offset, sharing bytes even alive */
  int32_t num_together;
  const RmBufferPair *apart; /* share no byte even where lives do not meet */
  int32_t num_apart;
} RmMemoryProblem;

typedef struct RmPlacement {
  int64_t
      *offsets;  /* one a buffer. Null if none was found: only fixed offsets,
                    reserved bytes, banks or `together` can bring this about */
  int64_t arena; /* max(offset + size), aligned; INT64_MAX without offsets */
  int64_t lower_bound; /* no placement is smaller; INT64_MAX: there is none */
  int32_t *unfit; /* if the bound is above the capacity or INT64_MAX: buffers
                     that cannot be placed, though without any one of them
                     the others could, as far as we can tell */
  int32_t num_unfit;
} RmPlacement;

/* Deterministic; work grows with `effort` (0..3). */
RmPlacement rm_memory_place(const RmMemoryProblem *problem, int effort,
                            RmPool *pool);

/* One buffer after another, by one of these rules, as others do it: "size" and
 * "area" take the lowest gap, "size-best" (XLA), "life-best" (XLA),
 * "birth-best" (MLIR's static memory planner) and "whole-best" (TFLite) the
 * smallest. Null-terminated. */
extern const char *const rm_memory_rules[];
RmPlacement rm_memory_place_by_rule(const RmMemoryProblem *problem,
                                    const char *rule, RmPool *pool);

/* By brute force: null if no two buffers overlap and all constraints but the
 * capacity hold, else what is wrong, naming two buffers, their lives and
 * offsets. */
const char *rm_memory_check(const RmMemoryProblem *problem,
                            const RmPlacement *placement, RmPool *pool);

#endif
