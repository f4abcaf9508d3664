/* lib/plan/cut-least.c - least cuts of a network, at prices.
 *
 * Between two cuts of a network of one step only the nodes whose side is open
 * are cut again: what arcs from the source's side carry supplies them, what
 * arcs to the sink's side carry drains them. */

#include "plan/cut-network.h"

/* What the arcs from and to the ends can carry. */
static void set_capacities(RmCutNetwork *n, const int64_t *prices,
                           int64_t scale) {
  for (size_t i = 0; i < n->nodes.count; ++i) {
    const RmCutNode *node = &n->nodes.items[i];
    int64_t price = prices[node->at];
    n->supply[i] = node->supply < 0
                       ? RM_FLOW_MAX
                       : rm_cut_times(price, node->supply, RM_FLOW_MAX);
    n->drain[i] = scale * node->cost + price * node->drain;
  }
  for (size_t i = 0; i < n->arcs.count; ++i) {
    const RmCutArc *arc = &n->arcs.items[i];
    n->capacity[i] =
        arc->bytes < 0 ? RM_FLOW_MAX
                       : rm_cut_times(prices[arc->at], arc->bytes, RM_FLOW_MAX);
  }
}

int64_t rm_cut_least(RmCutNetwork *n, const int64_t *prices, int64_t scale) {
  set_capacities(n, prices, scale);
  rm_flow_reset(n->flow, n->supply, n->drain, n->capacity);
  int64_t before = n->flow->effort, cut = rm_flow_run(n->flow);
  n->effort += n->flow->effort - before;
  for (size_t i = 0; i < n->nodes.count; ++i)
    n->again[i] = rm_flow_cut_off(n->flow, (int32_t)i);
  return cut;
}

/*===-- Between two cuts --------------------------------------------------===*/

typedef struct Core { /* the nodes of which the side is open */
  int32_t nodes, arcs;
  int32_t *number;    /* by node: in the core, -1: not there */
  int32_t *from, *to; /* by arc of the core */
  int64_t *supply, *drain, *capacity;
} Core;

static int64_t add_up_to_most(int64_t a, int64_t b) {
  return a > RM_FLOW_MAX - b ? RM_FLOW_MAX : a + b;
}

static void find_core_nodes(const RmCutNetwork *n, Core *core,
                            const uint8_t *barely, const uint8_t *again,
                            RmPool *pool) {
  core->number = RM_NEW_ARRAY(pool, int32_t, n->nodes.count);
  core->supply = RM_NEW_ARRAY(pool, int64_t, n->nodes.count);
  core->drain = RM_NEW_ARRAY(pool, int64_t, n->nodes.count);
  for (size_t i = 0; i < n->nodes.count; ++i) {
    bool is_open = again[i] && !barely[i];
    core->number[i] = is_open ? core->nodes : -1;
    if (is_open) {
      core->supply[core->nodes] = n->supply[i];
      core->drain[core->nodes++] = n->drain[i];
    }
  }
}

/* Arcs from the source's side supply, arcs to the sink's side drain. */
static void find_core_arcs(const RmCutNetwork *n, Core *core,
                           const uint8_t *barely, RmPool *pool) {
  core->from = RM_NEW_ARRAY(pool, int32_t, n->arcs.count);
  core->to = RM_NEW_ARRAY(pool, int32_t, n->arcs.count);
  core->capacity = RM_NEW_ARRAY(pool, int64_t, n->arcs.count);
  for (size_t i = 0; i < n->arcs.count; ++i) {
    const RmCutArc *arc = &n->arcs.items[i];
    int32_t from = core->number[arc->from], to = core->number[arc->to];
    if (from >= 0 && to >= 0) {
      core->from[core->arcs] = from;
      core->to[core->arcs] = to;
      core->capacity[core->arcs++] = n->capacity[i];
    } else if (to >= 0 && barely[arc->from]) {
      core->supply[to] = add_up_to_most(core->supply[to], n->capacity[i]);
    } else if (from >= 0 && !barely[arc->to]) {
      core->drain[from] = add_up_to_most(core->drain[from], n->capacity[i]);
    }
  }
}

void rm_cut_least_between(RmCutNetwork *n, const int64_t *prices, int64_t scale,
                          const uint8_t *barely, const uint8_t *again) {
  RmPool *pool = rm_pool_branch(n->pool);
  Core core = {0};
  set_capacities(n, prices, scale);
  find_core_nodes(n, &core, barely, again, pool);
  find_core_arcs(n, &core, barely, pool);
  RmFlow *flow =
      rm_flow_create(core.nodes, core.arcs, core.from, core.to, pool);
  rm_flow_reset(flow, core.supply, core.drain, core.capacity);
  rm_flow_run(flow);
  n->effort += flow->effort + (int64_t)n->nodes.count / 2;
  for (size_t i = 0; i < n->nodes.count; ++i)
    n->again[i] =
        core.number[i] < 0 ? barely[i] : rm_flow_cut_off(flow, core.number[i]);
  rm_pool_destroy(pool);
}

/*===-- What a cut says ---------------------------------------------------===*/

RmCutLine rm_cut_measure(const RmCutNetwork *n) {
  RmCutLine line = {0};
  for (int32_t i = 0; i < (int32_t)n->nodes.count; ++i) {
    const RmCutNode *node = &n->nodes.items[i];
    if (rm_cut_runs_again(n, i)) {
      line.cost += node->cost;
      line.bytes[node->at] += node->drain;
    } else {
      line.bytes[node->at] += node->supply;
    }
  }
  for (size_t i = 0; i < n->arcs.count; ++i) {
    const RmCutArc *arc = &n->arcs.items[i];
    if (arc->bytes > 0 && rm_cut_runs_again(n, arc->from) &&
        !rm_cut_runs_again(n, arc->to))
      line.bytes[arc->at] += arc->bytes;
  }
  return line;
}
