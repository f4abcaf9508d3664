/* lib/api/core/graph-api.c - remat/graph.h: checks, then lib/graph.
 *
 * A graph owns the pool that it lives in. Each function that may need memory is
 * where the pool jumps to when there is none. */
#include "remat/graph.h"

#include "graph/graph.h"
#include "support/require.h"

static RmGraph *unwrap(RematGraph graph) { return graph.ptr; }

static bool has_value(const RmGraph *graph, int32_t value) {
  return value >= 0 && (size_t)value < graph->values.count;
}

RematGraph rematGraphCreate(void) {
  RmPool *pool = rm_pool_create();
  if (!pool || setjmp(pool->exhausted))
    return rm_pool_destroy(pool), (RematGraph){NULL};
  return (RematGraph){rm_graph_create(pool)};
}

void rematGraphDestroy(RematGraph graph) {
  if (graph.ptr)
    rm_pool_destroy(unwrap(graph)->pool);
}

int32_t rematGraphAddArgument(RematGraph graph, int64_t bytes) {
  rm_require(graph.ptr, "a graph");
  rm_require(bytes >= 0, "bytes that are not negative");
  if (setjmp(unwrap(graph)->pool->exhausted))
    return -1;
  return rm_graph_argument(unwrap(graph), bytes);
}

int32_t rematGraphAddOp(RematGraph graph, int64_t cost, int64_t workspace,
                        const int32_t *inputs, int32_t numInputs,
                        bool recomputable) {
  rm_require(graph.ptr, "a graph");
  rm_require(cost >= 0 && workspace >= 0 && numInputs >= 0,
             "cost, workspace and a number of inputs that are not negative");
  for (int32_t i = 0; i < numInputs; ++i)
    rm_require(has_value(unwrap(graph), inputs[i]), "inputs added before");
  if (setjmp(unwrap(graph)->pool->exhausted))
    return -1;
  return rm_graph_op(unwrap(graph), cost, workspace, inputs, numInputs,
                     recomputable);
}

int32_t rematGraphAddResult(RematGraph graph, int64_t bytes) {
  rm_require(graph.ptr && unwrap(graph)->ops.count, "a graph with an op");
  rm_require(bytes >= 0, "bytes that are not negative");
  if (setjmp(unwrap(graph)->pool->exhausted))
    return -1;
  return rm_graph_result(unwrap(graph), bytes);
}

static bool reads(const RmGraph *graph, int32_t op, int32_t value) {
  const int32_t *inputs = rm_op_inputs(graph, op);
  for (int32_t i = 0; i < graph->ops.items[op].num_inputs; ++i)
    if (inputs[i] == value)
      return true;
  return false;
}

int32_t rematGraphAddView(RematGraph graph, int32_t input) {
  rm_require(graph.ptr && unwrap(graph)->ops.count, "a graph with an op");
  int32_t last = (int32_t)unwrap(graph)->ops.count - 1;
  rm_require(reads(unwrap(graph), last, input), "an input of the last op");
  if (setjmp(unwrap(graph)->pool->exhausted))
    return -1;
  return rm_graph_view(unwrap(graph), input);
}

void rematGraphReturn(RematGraph graph, int32_t value) {
  rm_require(graph.ptr, "a graph");
  rm_require(has_value(unwrap(graph), value), "a value of the graph");
  rm_graph_return(unwrap(graph), value);
}
