/* lib/api/core/memory-api.c - remat/memory.h: a copy of the problem, then
 * lib/memory.
 *
 * A placement owns the pool that it was made in. */
#include "remat/memory.h"

#include "memory/memory.h"
#include "support/require.h"

#include <assert.h>

typedef struct Placement {
  RmPool *pool;
  RmPlacement found;
  int32_t count;
  bool fits;
} Placement;

static const Placement *unwrap(RematPlacement placement) {
  rm_require(placement.ptr, "a placement");
  return placement.ptr;
}

static void read_buffers(const RematMemoryProblem *from, RmMemoryProblem *to,
                         RmPool *pool) {
  RmBuffer *buffers = RM_NEW_ARRAY(pool, RmBuffer, from->numBuffers);
  int32_t *banks = RM_NEW_ARRAY(pool, int32_t, from->numBuffers);
  for (int32_t i = 0; i < from->numBuffers; ++i) {
    const RematBuffer *b = &from->buffers[i];
    buffers[i] =
        (RmBuffer){b->lower, b->upper, b->size, b->alignment, b->fixed};
    banks[i] = b->bank;
  }
  to->buffers = buffers;
  to->count = from->numBuffers;
  to->banks = from->bankBytes ? banks : NULL;
}

static RmHole *read_gaps(const RematMemoryProblem *problem, RmPool *pool) {
  RmHole *holes = RM_NEW_ARRAY(pool, RmHole, problem->numGaps);
  for (int32_t i = 0; i < problem->numGaps; ++i)
    holes[i] = (RmHole){problem->gaps[i].buffer, problem->gaps[i].lower,
                        problem->gaps[i].upper};
  return holes;
}

static RmByteRange *read_reserved(const RematMemoryProblem *problem,
                                  RmPool *pool) {
  RmByteRange *ranges = RM_NEW_ARRAY(pool, RmByteRange, problem->numReserved);
  for (int32_t i = 0; i < problem->numReserved; ++i)
    ranges[i] =
        (RmByteRange){problem->reserved[i].begin, problem->reserved[i].end};
  return ranges;
}

static RmBufferPair *read_pairs(const RematBufferPair *from, int32_t count,
                                RmPool *pool) {
  RmBufferPair *pairs = RM_NEW_ARRAY(pool, RmBufferPair, count);
  for (int32_t i = 0; i < count; ++i)
    pairs[i] = (RmBufferPair){from[i].a, from[i].b};
  return pairs;
}

static RmMemoryProblem read_problem(const RematMemoryProblem *problem,
                                    RmPool *pool) {
  RmMemoryProblem read = {
      .capacity = problem->capacity,
      .arena_alignment = problem->arenaAlignment,
      .bank_bytes = problem->bankBytes,
      .holes = read_gaps(problem, pool),
      .num_holes = problem->numGaps,
      .reserved = read_reserved(problem, pool),
      .num_reserved = problem->numReserved,
      .together = read_pairs(problem->together, problem->numTogether, pool),
      .num_together = problem->numTogether,
      .apart = read_pairs(problem->apart, problem->numApart, pool),
      .num_apart = problem->numApart};
  read_buffers(problem, &read, pool);
  return read;
}

static void require_counts(const RematMemoryProblem *problem, int32_t effort) {
  rm_require(problem->numBuffers >= 0 && problem->numGaps >= 0 &&
                 problem->numReserved >= 0 && problem->numTogether >= 0 &&
                 problem->numApart >= 0,
             "numbers that are not negative");
  rm_require(effort >= 0 && effort <= 3, "effort 0 to 3");
  for (int32_t i = 0; i < problem->numBuffers; ++i)
    rm_require(problem->buffers[i].bank == -1 || problem->bankBytes,
               "banks that have bytes");
}

RematPlacement rematPlacementCreate(const RematMemoryProblem *problem,
                                    int32_t effort) {
  require_counts(problem, effort);
  RmPool *pool = rm_pool_create();
  if (!pool || setjmp(pool->exhausted))
    return rm_pool_destroy(pool), (RematPlacement){NULL};
  RmMemoryProblem read = read_problem(problem, pool);
  Placement *placement = RM_NEW(pool, Placement);
  placement->pool = pool;
  placement->count = read.count;
  placement->found = rm_memory_place(&read, effort, pool);
  placement->fits = placement->found.offsets &&
                    (!read.capacity || placement->found.arena <= read.capacity);
  assert(!placement->found.offsets ||
         !rm_memory_check(&read, &placement->found, pool));
  return (RematPlacement){placement};
}

void rematPlacementDestroy(RematPlacement placement) {
  if (placement.ptr)
    rm_pool_destroy(((Placement *)placement.ptr)->pool);
}

bool rematPlacementFits(RematPlacement placement) {
  return unwrap(placement)->fits;
}

int64_t rematPlacementGetArenaBytes(RematPlacement placement) {
  return unwrap(placement)->found.arena;
}

int64_t rematPlacementGetBound(RematPlacement placement) {
  return unwrap(placement)->found.lower_bound;
}

int64_t rematPlacementGetOffset(RematPlacement placement, int32_t buffer) {
  const Placement *p = unwrap(placement);
  rm_require(buffer >= 0 && buffer < p->count, "a buffer of the problem");
  return p->found.offsets ? p->found.offsets[buffer] : -1;
}

int32_t rematPlacementGetNumUnfit(RematPlacement placement) {
  return unwrap(placement)->found.num_unfit;
}

int32_t rematPlacementGetUnfit(RematPlacement placement, int32_t i) {
  const Placement *p = unwrap(placement);
  rm_require(i >= 0 && i < p->found.num_unfit, "a number below that of unfit");
  return p->found.unfit[i];
}
