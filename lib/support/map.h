/* lib/support/map.h - from a 64-bit key (a pointer, a number) to a number.
 *
 * Open addressing; iteration is not offered, so no order can leak out of it. */
#ifndef RM_SUPPORT_MAP_H
#define RM_SUPPORT_MAP_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmMap {
  RmPool *pool;
  uint64_t *keys;
  int64_t *values;
  uint8_t *used;
  size_t count, capacity;
} RmMap;

RmMap rm_map_create(RmPool *pool);
void rm_map_set(RmMap *map, uint64_t key, int64_t value);
bool rm_map_get(const RmMap *map, uint64_t key, int64_t *value);

/* The value of `key`, or `missing`. */
int64_t rm_map_or(const RmMap *map, uint64_t key, int64_t missing);

static inline uint64_t rm_map_pointer(const void *p) {
  return (uint64_t)(uintptr_t)p;
}

/* A hash of bytes that is the same on every machine (FNV-1a). */
uint64_t rm_hash_bytes(const void *bytes, size_t count, uint64_t seed);

#endif
