/* lib/memory/csv.h - buffers as MiniMalloc's CSV has them.
 *
 * One buffer a line, under a header that names the columns in any order: `id`,
 * `lower`, `upper`, `size`, and maybe `alignment` and `offset`, the place it
 * must have. A life is half-open. `hint` and `gaps` are read over: a placement
 * for the whole life also serves one with gaps. */
#ifndef RM_MEMORY_CSV_H
#define RM_MEMORY_CSV_H

#include "memory/memory.h"

typedef struct RmInstance {
  RmBuffer *buffers;
  const char **ids;
  int32_t count;
} RmInstance;

/* Sound buffers for rm_memory_place, in the pool; `text` is written into. False
 * if it is no such table; `*error` then names the line and what is wrong. */
bool rm_instance_from_csv(char *text, RmInstance *instance, RmPool *pool,
                          const char **error);

#endif
