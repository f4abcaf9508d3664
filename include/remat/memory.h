/* include/remat/memory.h - where the buffers of an arena lie.
 *
 * A buffer is alive in ticks [lower, upper); two that are alive at one tick may
 * share no byte. A placement gives each an offset, with a bound on the arena of
 * any. A memory space is a problem of its own. Placements are read-only once
 * made and may be shared between threads; equal problems have equal ones. */
#ifndef REMAT_MEMORY_H
#define REMAT_MEMORY_H

#include "remat/export.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *ptr;
} RematPlacement;

typedef struct {
  int64_t lower, upper; /* lower < upper */
  int64_t size;         /* bytes; 0 is allowed */
  int64_t alignment;    /* a power of two; 0: any */
  int64_t fixed;        /* the offset it must have, or -1 */
  int32_t bank;         /* that it must lie in, or -1 */
} RematBuffer;

/* The buffer holds nothing in [lower, upper), inside of its life. A gap that is
 * none, as of what a loop carries around, corrupts data: leave them out unless
 * you know. */
typedef struct {
  int32_t buffer;
  int64_t lower, upper;
} RematGap;

typedef struct {
  int64_t begin, end; /* half-open */
} RematByteRange;

typedef struct {
  int32_t a, b;
} RematBufferPair;

/* What is zero asks for nothing. */
typedef struct {
  const RematBuffer *buffers;
  int32_t numBuffers;
  int64_t capacity;       /* an arena that small is good enough */
  int64_t arenaAlignment; /* of its size; a power of two */
  int64_t bankBytes;      /* no buffer crosses a multiple of it, where a bank
                             begins; the same cuts an arena into allocations */
  const RematGap *gaps;
  int32_t numGaps;
  const RematByteRange *reserved; /* bytes that no buffer may touch */
  int32_t numReserved;
  const RematBufferPair *together; /* at one offset, even if alive at once */
  int32_t numTogether;
  const RematBufferPair *apart; /* share no byte at any time */
  int32_t numApart;
} RematMemoryProblem;

/* Places the buffers; work grows with `effort`, 0 to 3. The caller owns the
 * placement, which needs the problem no longer. `ptr` is null only when memory
 * ran out. A problem that contradicts the comments above is misuse. */
REMAT_EXPORT RematPlacement
rematPlacementCreate(const RematMemoryProblem *problem, int32_t effort);

REMAT_EXPORT void rematPlacementDestroy(RematPlacement placement);

/* Whether there are offsets, and the arena is within the capacity if that was
 * given. Without a capacity only fixed offsets, reserved bytes, banks or pairs
 * can be in the way. */
REMAT_EXPORT bool rematPlacementFits(RematPlacement placement);

/* The end of the arena, INT64_MAX if no offsets were found, and what no arena
 * can be below, INT64_MAX if there are none. Equal: it is the best. */
REMAT_EXPORT int64_t rematPlacementGetArenaBytes(RematPlacement placement);
REMAT_EXPORT int64_t rematPlacementGetBound(RematPlacement placement);

/* Of a buffer; -1 where there are none. */
REMAT_EXPORT int64_t rematPlacementGetOffset(RematPlacement placement,
                                             int32_t buffer);

/* If it is proven that they do not fit: numbers of buffers that cannot be
 * placed together, though without any one of them the others could, as far as
 * the search can tell. */
REMAT_EXPORT int32_t rematPlacementGetNumUnfit(RematPlacement placement);
REMAT_EXPORT int32_t rematPlacementGetUnfit(RematPlacement placement,
                                            int32_t i);

#ifdef __cplusplus
}
#endif
#endif
