/* lib/support/map.c - open addressing with linear probes, at most 2/3 full. */
#include "support/map.h"

enum { FIRST_CAPACITY = 16 };

RmMap rm_map_create(RmPool *pool) { return (RmMap){.pool = pool}; }

/* The finisher of splitmix64: spreads pointers, which share their low bits. */
static uint64_t spread(uint64_t key) {
  key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
  key = (key ^ key >> 27) * 0x94d049bb133111ebu;
  return key ^ key >> 31;
}

static size_t find_slot(const RmMap *map, uint64_t key) {
  size_t mask = map->capacity - 1, at = spread(key) & mask;
  while (map->used[at] && map->keys[at] != key)
    at = (at + 1) & mask;
  return at;
}

static void put(RmMap *map, uint64_t key, int64_t value) {
  size_t at = find_slot(map, key);
  map->count += !map->used[at];
  map->used[at] = 1;
  map->keys[at] = key;
  map->values[at] = value;
}

static void enlarge(RmMap *map) {
  RmMap old = *map;
  map->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  map->count = 0;
  map->keys = RM_NEW_ARRAY(map->pool, uint64_t, map->capacity);
  map->values = RM_NEW_ARRAY(map->pool, int64_t, map->capacity);
  map->used = RM_NEW_ARRAY(map->pool, uint8_t, map->capacity);
  for (size_t i = 0; i < old.capacity; ++i)
    if (old.used[i])
      put(map, old.keys[i], old.values[i]);
}

void rm_map_set(RmMap *map, uint64_t key, int64_t value) {
  if (3 * (map->count + 1) > 2 * map->capacity)
    enlarge(map);
  put(map, key, value);
}

bool rm_map_get(const RmMap *map, uint64_t key, int64_t *value) {
  if (!map->count)
    return false;
  size_t at = find_slot(map, key);
  if (!map->used[at])
    return false;
  *value = map->values[at];
  return true;
}

int64_t rm_map_or(const RmMap *map, uint64_t key, int64_t missing) {
  int64_t value;
  return rm_map_get(map, key, &value) ? value : missing;
}

uint64_t rm_hash_bytes(const void *bytes, size_t count, uint64_t seed) {
  const unsigned char *at = bytes;
  uint64_t hash = 0xcbf29ce484222325u ^ seed;
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}
