/* lib/memory/csv.h - buffers as MiniMalloc's CSV has them.
 *
 * One buffer a line, under a header that names the columns in any order: `id`,
 * `lower`, `upper`, `size`, and maybe `alignment`, `offset`, the place it must
 * have, `gaps` in its life, as `3-5 7-8`, `bank`, the number of the one it must
 * lie in, and `together` and `apart`, ids of buffers it must share its place
 * with or have no byte in common with, as `a b`. Lives and gaps are half-open.
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
  int32_t *banks; /* by buffer, or -1; null without that column */
  RmBufferPair *together, *apart;
  int32_t num_together, num_apart;
} RmInstance;

/* Sound buffers for rm_memory_place, in the pool; `text` is written into. False
 * if it is no such table; `*error` then names the line and what is wrong. */
bool rm_instance_from_csv(char *text, RmInstance *instance, RmPool *pool,
                          const char **error);

/* Ranges of bytes as `0-4096,8192-9216`; none for an empty text. False, with
 * what is wrong in `*error`, if it is no such list. */
bool rm_byte_ranges_from_text(const char *text, RmByteRange **ranges,
                              int32_t *count, RmPool *pool, const char **error);

#endif
