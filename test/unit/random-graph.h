/* test/unit/random-graph.h - small seeded graphs with everything in them. */
#ifndef TEST_RANDOM_GRAPH_H
#define TEST_RANDOM_GRAPH_H

#include "graph/graph.h"

static inline uint32_t draw(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

/* One op: up to three inputs, mostly one result; some are views, some have
 * workspace, some may not be recomputed. */
static inline void add_random_op(RmGraph *g, uint32_t *seed, bool views) {
  int32_t inputs[3], count = 0;
  uint32_t wanted = draw(seed, 4), known = (uint32_t)g->values.count;
  for (uint32_t i = 0; i < wanted && known; ++i) {
    uint32_t back = draw(seed, 2) ? draw(seed, known) : draw(seed, 3) % known;
    inputs[count++] = (int32_t)(known - 1 - back);
  }
  bool is_view = views && count && draw(seed, 5) == 0;
  rm_graph_op(g, is_view ? 0 : draw(seed, 9),
              is_view || draw(seed, 4) ? 0 : draw(seed, 6), inputs, count,
              is_view || draw(seed, 6) > 0);
  if (is_view) {
    rm_graph_view(g, inputs[0]);
    return;
  }
  rm_graph_result(g, 1 + draw(seed, 8));
  if (draw(seed, 8) == 0)
    rm_graph_result(g, 1 + draw(seed, 8));
}

static inline RmGraph *random_graph(RmPool *pool, uint32_t *seed, int ops,
                                    bool views) {
  RmGraph *g = rm_graph_create(pool);
  if (draw(seed, 2))
    rm_graph_argument(g, 4);
  for (int i = 0; i < ops; ++i)
    add_random_op(g, seed, views);
  if (draw(seed, 2))
    rm_graph_return(g, (int32_t)g->values.count - 1);
  return g;
}

#endif
