/* lib/pass/memory-offsets.c - the offsets of one arena.
 *
 * They come from the packer (lib/memory) or from a file; they are kept to the
 * capacity, checked by brute force, and cut into parts where one allocation
 * would be too large. */

#include "pass/memory-planner.h"

#include <inttypes.h>
#include <stdlib.h>

typedef RmMemoryPlanner Planner;
typedef RmArena Arena;

/*===-- Parts -------------------------------------------------------------===*/

RmArenaPart *rm_memory_part_of(const RmArena *arena, int32_t i) {
  int64_t at = arena->placement.offsets[i];
  for (size_t k = arena->parts.count; k--;)
    if (arena->parts.items[k].begin <= at)
      return &arena->parts.items[k];
  return NULL;
}

static int compare_begins(const void *a, const void *b) {
  const RmArenaPart *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

static RmArenaPart *find_or_add_part(Planner *p, Arena *arena, int64_t begin) {
  for (size_t k = 0; k < arena->parts.count; ++k)
    if (arena->parts.items[k].begin == begin)
      return &arena->parts.items[k];
  RmArenaPart part = {.begin = begin};
  rm_vec_push(p->pool, &arena->parts, part);
  return &arena->parts.items[arena->parts.count - 1];
}

/* Parts that hold nothing are none. */
static void cut_into_parts(Planner *p, Arena *arena) {
  for (size_t i = 0; i < arena->members.count; ++i) {
    int64_t at = arena->placement.offsets[i];
    int64_t begin = arena->part_bytes ? at - at % arena->part_bytes : 0;
    RmArenaPart *part = find_or_add_part(p, arena, begin);
    int64_t end = at + arena->buffers[i].size - begin;
    part->bytes = end > part->bytes ? end : part->bytes;
    ++part->count;
  }
  qsort(arena->parts.items, arena->parts.count, sizeof *arena->parts.items,
        compare_begins);
  for (size_t k = 0; k < arena->parts.count; ++k) {
    RmArenaPart *part = &arena->parts.items[k];
    part->bytes = (part->bytes + arena->alignment - 1) & -arena->alignment;
    arena->bytes += part->bytes;
  }
}

/*===-- Offsets -----------------------------------------------------------===*/

RmMemoryProblem rm_memory_problem(Planner *p, Arena *arena) {
  int32_t count = (int32_t)arena->members.count;
  arena->buffers = RM_NEW_ARRAY(p->pool, RmBuffer, count);
  for (int32_t i = 0; i < count; ++i) {
    const RmAllocation *a =
        &p->lives.allocations.items[arena->members.items[i]];
    arena->buffers[i] =
        (RmBuffer){a->lower, a->upper, a->bytes, a->alignment, -1};
  }
  arena->part_bytes = p->max_allocation & -arena->alignment;
  /* What callers lend lies in an arena of theirs. */
  return (RmMemoryProblem){.buffers = arena->buffers,
                           .count = count,
                           .bank_bytes = arena->part_bytes,
                           .reserved = p->reserved,
                           .num_reserved = p->called ? 0 : p->num_reserved};
}

bool rm_memory_fits_allocations(Planner *p, const Arena *arena) {
  for (size_t i = 0; p->max_allocation && i < arena->members.count; ++i) {
    if (arena->buffers[i].size <= arena->part_bytes && arena->part_bytes)
      continue;
    rm_emit(RM_ERROR,
            mlirOperationGetLocation(
                p->lives.allocations.items[arena->members.items[i]].op),
            "remat-plan-memory: this buffer takes %" PRId64
            " bytes aligned to %" PRId64 ", more than max-allocation=%" PRId64
            " allows",
            arena->buffers[i].size, arena->alignment, p->max_allocation);
    return false;
  }
  return true;
}

static bool check(Planner *p, const RmMemoryProblem *problem, Arena *arena,
                  int32_t number) {
  RmPlacement placement = arena->placement;
  if (p->placement_path)
    placement.lower_bound = 0; /* to be below it says less than to overlap */
  const char *wrong = rm_memory_check(problem, &placement, p->pool);
  if (wrong && p->placement_path)
    rm_memory_refuse_placement(p, arena, number, wrong);
  else if (wrong)
    rm_emit(RM_ERROR, mlirOperationGetLocation(p->function),
            "remat-plan-memory: wrong placement: %s", wrong);
  return !wrong;
}

static void refuse_capacity(Planner *p, const Arena *arena) {
  const RmPlacement *placement = &arena->placement;
  RmDiagnostic *error = rm_diagnostic_begin(
      RM_ERROR, mlirOperationGetLocation(p->function),
      rm_pool_printf(
          p->pool,
          "remat-plan-memory: the smallest arena found for @%s takes "
          "%" PRId64 " bytes, more than capacity=%" PRId64
          " allows; none takes less than %" PRId64,
          rm_memory_name(p, p->function), placement->arena, p->capacity,
          placement->lower_bound));
  for (int32_t i = 0; i < placement->num_unfit; ++i) {
    int32_t member = placement->unfit[i];
    const RmAllocation *a =
        &p->lives.allocations.items[arena->members.items[member]];
    rm_diagnostic_note(error, mlirOperationGetLocation(a->op),
                       rm_pool_printf(p->pool,
                                      "one of %" PRId32
                                      " that cannot be placed together, "
                                      "%" PRId64 " bytes",
                                      placement->num_unfit, a->bytes));
  }
  rm_diagnostic_end(error);
}

/* Asked for a capacity, the packer looks for nothing better, but harder. */
static bool keep_to_capacity(Planner *p, Arena *arena,
                             const RmMemoryProblem *problem) {
  RmMemoryProblem question = *problem;
  int64_t found = arena->placement.arena;
  question.capacity = p->capacity & -arena->alignment;
  if (!p->capacity || p->called || found <= question.capacity)
    return true;
  if (!p->placement_path && question.capacity) {
    arena->placement = rm_memory_place(&question, p->effort, p->pool);
    if (arena->placement.arena <= question.capacity)
      return true;
  }
  if (found < arena->placement.arena)
    arena->placement.arena = found;
  refuse_capacity(p, arena);
  return false;
}

bool rm_memory_place_arena(Planner *p, Arena *arena,
                           const RmMemoryProblem *problem, int32_t number) {
  bool done =
      (!p->placement_path || rm_memory_take_placement(p, arena, number)) &&
      keep_to_capacity(p, arena, problem) && check(p, problem, arena, number);
  if (done)
    cut_into_parts(p, arena);
  return done;
}
