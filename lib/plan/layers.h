/* lib/plan/layers.h - the equal layers of a graph, found by structural hashing.
 *
 * A stack is a stretch of ops that repeats: `copies` times `length` ops that
 * are alike one by one. Stacks that read each other in step, as the backward of
 * a layer reads what its forward made, form a tower: a copy in each of them is
 * the layer of one number. A net of several stages has several towers. */
#ifndef RM_PLAN_LAYERS_H
#define RM_PLAN_LAYERS_H

#include "graph/graph.h"

typedef struct RmStack {
  int32_t first, length, copies; /* ops */
  int32_t tower;                 /* -1: of none */
  int32_t sign, offset; /* copy c is layer sign * c + offset of its tower */
} RmStack;

typedef struct RmLayers {
  RM_VEC(RmStack) stacks; /* in the order of their ops */
  int32_t *stack_of;      /* by op; -1: in none */
  int32_t num_towers;
} RmLayers;

/* The graph has no views. */
RmLayers rm_layers_find(const RmGraph *graph, RmPool *pool);

/* The layer of an op of a stack. */
static inline int32_t rm_layer_of(const RmStack *s, int32_t op) {
  return s->sign * ((op - s->first) / s->length) + s->offset;
}

/* The op that is to `layer` what `op` is to its own; -1 if there is none. */
static inline int32_t rm_layer_twin(const RmStack *s, int32_t op,
                                    int32_t layer) {
  int32_t copy = s->sign * (layer - s->offset);
  if (copy < 0 || copy >= s->copies)
    return -1;
  return s->first + copy * s->length + (op - s->first) % s->length;
}

#endif
