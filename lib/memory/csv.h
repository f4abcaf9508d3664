/* lib/memory/csv.h - buffers as MiniMalloc's CSV has them.
 *
 * One buffer a line, under a header that names the columns in any order: `id`,
 * `lower`, `upper`, `size`, and maybe `alignment`, `offset`, the place it must
 * have, and `gaps` in its life, as `3-5 7-8`. Lives and gaps are half-open.
 * `hint` is read over, and so are gaps of a part of the bytes, `3-5@0:16`: a
 * placement for the whole life also serves one with gaps. */
#ifndef RM_MEMORY_CSV_H
#define RM_MEMORY_CSV_H

#include "memory/memory.h"

typedef struct RmInstance {
  RmBuffer *buffers;
  const char **ids;
  int32_t count;
  RmHole *holes;
  int32_t num_holes;
} RmInstance;

/* Sound buffers for rm_memory_place, in the pool; `text` is written into. False
 * if it is no such table; `*error` then names the line and what is wrong. */
bool rm_instance_from_csv(char *text, RmInstance *instance, RmPool *pool,
                          const char **error);

#endif
