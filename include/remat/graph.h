/* include/remat/graph.h - a program as ops, values and the bytes they hold.
 *
 * For programs that are not MLIR, or that the caller reads by itself. Ops are
 * added in an order in which the program could run; each is followed by its
 * results:
 *
 *     RematGraph graph = rematGraphCreate();
 *     int32_t x = rematGraphAddArgument(graph, 4096);
 *     rematGraphAddOp(graph, 100, 0, &x, 1, true);
 *     int32_t y = rematGraphAddResult(graph, 4096);
 *
 * A graph may be read by several threads, and changed by one at a time. Numbers
 * of ops and of values count from zero in the order of adding. */
#ifndef REMAT_GRAPH_H
#define REMAT_GRAPH_H

#include "remat/export.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *ptr;
} RematGraph;

/* An empty graph, which the caller owns; `ptr` is null when memory ran out. */
REMAT_EXPORT RematGraph rematGraphCreate(void);

REMAT_EXPORT void rematGraphDestroy(RematGraph graph);

/* Adds a value that the program is given. It is never counted. Returns its
 * number; -1 when memory ran out, as do all functions here that return one. The
 * graph is only good to be destroyed then. */
REMAT_EXPORT int32_t rematGraphAddArgument(RematGraph graph, int64_t bytes);

/* Adds an op that reads `inputs`, numbers of values, takes `cost` of any unit
 * of time and `workspace` bytes of its own while it runs. It may run more than
 * once, and elsewhere, if it is `recomputable`; else it runs once, in its place
 * among the others of its kind. Returns the op's number. */
REMAT_EXPORT int32_t rematGraphAddOp(RematGraph graph, int64_t cost,
                                     int64_t workspace, const int32_t *inputs,
                                     int32_t numInputs, bool recomputable);

/* Adds a result of the op added last. Returns the value's number. */
REMAT_EXPORT int32_t rematGraphAddResult(RematGraph graph, int64_t bytes);

/* Adds a result of the op added last that shares the bytes of `input`, one of
 * its inputs. Returns the value's number. */
REMAT_EXPORT int32_t rematGraphAddView(RematGraph graph, int32_t input);

/* The program gives `value` to its caller, who holds its bytes: they are not
 * counted. */
REMAT_EXPORT void rematGraphReturn(RematGraph graph, int32_t value);

#ifdef __cplusplus
}
#endif
#endif
