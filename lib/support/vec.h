/* lib/support/vec.h - growable arrays in a pool.
 *
 *     RM_VEC(int32_t) steps = {0};
 *     rm_vec_push(pool, &steps, 7);
 *     for (size_t i = 0; i < steps.count; ++i) use(steps.items[i]);
 */
#ifndef RM_SUPPORT_VEC_H
#define RM_SUPPORT_VEC_H

#include "support/pool.h"

#include <stdint.h>

#define RM_VEC(type)                                                           \
  struct {                                                                     \
    type *items;                                                               \
    size_t count, capacity;                                                    \
  }

typedef RM_VEC(int32_t) RmIntVec;

#define rm_vec_reserve(pool, vec, wanted)                                      \
  ((vec)->capacity >= (size_t)(wanted)                                         \
       ? (void)0                                                               \
       : (void)((vec)->items = rm_pool_grow(                                   \
                    (pool), (vec)->items, (vec)->count * sizeof *(vec)->items, \
                    rm_vec_next(&(vec)->capacity, (size_t)(wanted)) *          \
                        sizeof *(vec)->items)))

#define rm_vec_push(pool, vec, value)                                          \
  (rm_vec_reserve((pool), (vec), (vec)->count + 1),                            \
   (void)((vec)->items[(vec)->count++] = (value)))

/* The next capacity, at least `wanted`, at least half as much again. */
static inline size_t rm_vec_next(size_t *capacity, size_t wanted) {
  size_t next = *capacity + *capacity / 2 + 8;
  return *capacity = next < wanted ? wanted : next;
}

#endif
