/* lib/pass/memory-files.c - lives and placements as MiniMalloc's CSV.
 *
 * A buffer's id is FUNCTION/ARENA/NUMBER: the arena counts the memory spaces of
 * the function, the number its buffers in program order. What `lives-out` wrote
 * another allocator can place and `placement-in` takes back. Only ids, sizes
 * and offsets are taken from there; lives are our own, so that a placement for
 * another program is refused instead of believed. */

#include "pass/memory-planner.h"

#include "pass/ops.h"
#include "support/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef RmMemoryPlanner Planner;

static const char *id_of(Planner *p, int32_t arena, int32_t i) {
  return rm_pool_printf(p->pool, "%s/%" PRId32 "/%" PRId32,
                        rm_memory_name(p, p->function), arena, i);
}

/*===-- Out ---------------------------------------------------------------===*/

static void write_arena(Planner *p, FILE *file, const RmArena *arena,
                        int32_t number) {
  for (size_t i = 0; i < arena->members.count; ++i) {
    const RmBuffer *b = &arena->buffers[i];
    fprintf(file,
            "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
            id_of(p, number, (int32_t)i), b->lower, b->upper, b->size,
            b->alignment, arena->placement.offsets[i]);
  }
}

bool rm_memory_write_lives(Planner *p, const RmArena *arenas, int32_t count) {
  const char *path = rm_option_string(p->run, "lives-out");
  if (!*path)
    return true;
  FILE *file = fopen(path, p->wrote_lives ? "a" : "w");
  if (file && !p->wrote_lives)
    fputs("id,lower,upper,size,alignment,offset\n", file);
  p->wrote_lives = true;
  for (int32_t k = 0; file && k < count; ++k)
    write_arena(p, file, &arenas[k], k);
  if (file && !fclose(file))
    return true;
  rm_emit(RM_ERROR, mlirOperationGetLocation(p->function),
          "remat-plan-memory: cannot write lives-out file %s", path);
  return false;
}

/*===-- In ----------------------------------------------------------------===*/

static uint64_t hash_of(const char *id) {
  return rm_hash_bytes(id, strlen(id), 0);
}

/* The id that stands in two rows, if there is one. */
static const char *index_rows(Planner *p, RmPool *pool) {
  p->given_ids = rm_map_create(pool);
  for (int32_t i = 0; i < p->given.count; ++i) {
    uint64_t hash = hash_of(p->given.ids[i]);
    if (rm_map_or(&p->given_ids, hash, -1) >= 0)
      return p->given.ids[i];
    rm_map_set(&p->given_ids, hash, i);
  }
  return NULL;
}

bool rm_memory_read_placement(Planner *p, RmPool *pool) {
  MlirLocation where = mlirOperationGetLocation(p->module);
  const char *path = rm_option_string(p->run, "placement-in");
  if (!*path)
    return true;
  p->placement_path = path;
  char *text = rm_read_file(path, pool);
  const char *error = NULL, *twice = NULL;
  if (!text)
    error = strerror(errno);
  else if (rm_instance_from_csv(text, &p->given, pool, &error))
    twice = index_rows(p, pool);
  if (error)
    rm_emit(RM_ERROR, where, "remat-plan-memory: placement-in file %s: %s",
            path, error);
  else if (twice)
    rm_emit(RM_ERROR, where,
            "remat-plan-memory: placement-in file %s has buffer %s twice", path,
            twice);
  return !error && !twice;
}

static bool take_offset(Planner *p, RmArena *arena, int32_t number, int32_t i) {
  MlirLocation where = mlirOperationGetLocation(
      p->lives.allocations.items[arena->members.items[i]].op);
  const char *id = id_of(p, number, i), *path = p->placement_path;
  int64_t row = rm_map_or(&p->given_ids, hash_of(id), -1);
  int64_t size = row < 0 ? 0 : p->given.buffers[row].size;
  int64_t offset = row < 0 ? -1 : p->given.buffers[row].fixed;
  if (offset < 0)
    rm_emit(RM_ERROR, where,
            "remat-plan-memory: placement-in file %s has no offset for this "
            "buffer, %s",
            path, id);
  else if (size != arena->buffers[i].size)
    rm_emit(RM_ERROR, where,
            "remat-plan-memory: placement-in file %s has %" PRId64
            " bytes for this buffer, %s, which takes %" PRId64,
            path, size, id, arena->buffers[i].size);
  arena->placement.offsets[i] = offset;
  return offset >= 0 && size == arena->buffers[i].size;
}

bool rm_memory_take_placement(Planner *p, RmArena *arena, int32_t number) {
  int32_t count = (int32_t)arena->members.count;
  RmPlacement *placement = &arena->placement;
  placement->offsets = RM_NEW_ARRAY(p->pool, int64_t, count);
  placement->arena = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (!take_offset(p, arena, number, i))
      return false;
    int64_t end = placement->offsets[i] + arena->buffers[i].size;
    placement->arena = end > placement->arena ? end : placement->arena;
  }
  return true;
}

static bool overlap(const RmArena *arena, int32_t i, int32_t j) {
  const RmBuffer *a = &arena->buffers[i], *b = &arena->buffers[j];
  int64_t at = arena->placement.offsets[i], other = arena->placement.offsets[j];
  return a->lower < b->upper && b->lower < a->upper && at < other + b->size &&
         other < at + a->size;
}

static void note_buffer(Planner *p, RmDiagnostic *error, const RmArena *arena,
                        int32_t number, int32_t i) {
  MlirOperation op = p->lives.allocations.items[arena->members.items[i]].op;
  rm_diagnostic_note(
      error, mlirOperationGetLocation(op),
      rm_pool_printf(p->pool, "this one is %s", id_of(p, number, i)));
}

static void note_overlap(Planner *p, RmDiagnostic *error, const RmArena *arena,
                         int32_t number) {
  for (int32_t i = 0; i < (int32_t)arena->members.count; ++i)
    for (int32_t j = 0; j < i; ++j)
      if (overlap(arena, i, j)) {
        note_buffer(p, error, arena, number, j);
        note_buffer(p, error, arena, number, i);
        return;
      }
}

void rm_memory_refuse_placement(Planner *p, const RmArena *arena,
                                int32_t number, const char *wrong) {
  RmDiagnostic *error = rm_diagnostic_begin(
      RM_ERROR, mlirOperationGetLocation(p->function),
      rm_pool_printf(p->pool,
                     "remat-plan-memory: placement-in file %s is wrong for "
                     "arena %" PRId32 " of @%s: %s",
                     p->placement_path, number, rm_memory_name(p, p->function),
                     wrong));
  note_overlap(p, error, arena, number);
  rm_diagnostic_end(error);
}
