/* lib/plan/max-flow.c - the least cut of a network, by push-relabel.
 *
 * Preflow-push with the highest label first (Goldberg and Tarjan 1988;
 * Cherkassky and Goldberg 1997), first phase only: every supply is given out at
 * once and what cannot reach the sink stays where it is, for only the cut is
 * wanted. On the networks we build, which are nearly acyclic, highest first
 * means that what flows is gathered on its way and each node is seen a few
 * times.
 *
 * Labels are made exact by a search from the sink at the start, at the end, and
 * whenever the relabelling since cost as much as such a search. A label that no
 * node has cuts off all above it.
 *
 * Invariants: room of both halves of an arc adds up to its capacity; an arc
 * with room leads down by at most one label; each node that is not cut off
 * stands in the list of its label. Excess is held down to RM_FLOW_MAX, which no
 * cut reaches, so that nothing overflows and no cut changes. */

#include "plan/max-flow.h"

#include <string.h>

static void place_half_arcs(RmFlow *f, const int32_t *from, const int32_t *to,
                            int32_t *at) {
  for (int32_t i = 0; i < f->arcs; ++i) {
    int32_t a = at[from[i]]++, b = at[to[i]]++;
    f->half[a] = (RmHalfArc){to[i], b, 0};
    f->half[b] = (RmHalfArc){from[i], a, 0};
    f->forward[i] = a;
  }
}

RmFlow *rm_flow_create(int32_t nodes, int32_t arcs, const int32_t *from,
                       const int32_t *to, RmPool *pool) {
  RmFlow *f = RM_NEW(pool, RmFlow);
  f->nodes = nodes;
  f->arcs = arcs;
  f->cut_off = nodes + 1;
  f->first = RM_NEW_ARRAY(pool, int32_t, nodes + 1);
  f->half = RM_NEW_ARRAY(pool, RmHalfArc, 2 * (size_t)arcs);
  f->forward = RM_NEW_ARRAY(pool, int32_t, arcs);
  f->excess = RM_NEW_ARRAY(pool, int64_t, nodes);
  f->drain = RM_NEW_ARRAY(pool, int64_t, nodes);
  int32_t **by_node[] = {&f->label, &f->current, &f->next,   &f->before,
                         &f->layer, &f->queue,   &f->active, &f->waiting};
  for (size_t i = 0; i < sizeof by_node / sizeof *by_node; ++i)
    *by_node[i] = RM_NEW_ARRAY(pool, int32_t, nodes + 2);
  for (int32_t i = 0; i < arcs; ++i)
    ++f->first[from[i] + 1], ++f->first[to[i] + 1];
  for (int32_t v = 0; v < nodes; ++v)
    f->first[v + 1] += f->first[v];
  memcpy(f->queue, f->first, (size_t)nodes * sizeof *f->first);
  place_half_arcs(f, from, to, f->queue);
  return f;
}

void rm_flow_reset(RmFlow *f, const int64_t *supply, const int64_t *drain,
                   const int64_t *capacity) {
  size_t bytes = (size_t)f->nodes * sizeof *f->excess;
  memcpy(f->excess, supply, bytes);
  memcpy(f->drain, drain, bytes);
  for (int32_t i = 0; i < f->arcs; ++i) {
    RmHalfArc *half = &f->half[f->forward[i]];
    half->room = capacity[i];
    f->half[half->twin].room = 0;
  }
  f->sent = 0;
}

static void enter_layer(RmFlow *f, int32_t v) {
  int32_t label = f->label[v], old = f->layer[label];
  f->next[v] = old;
  f->before[v] = -1;
  if (old >= 0)
    f->before[old] = v;
  f->layer[label] = v;
  if (label > f->top)
    f->top = label;
}

static void leave_layer(RmFlow *f, int32_t v) {
  if (f->before[v] >= 0)
    f->next[f->before[v]] = f->next[v];
  else
    f->layer[f->label[v]] = f->next[v];
  if (f->next[v] >= 0)
    f->before[f->next[v]] = f->before[v];
}

static void activate(RmFlow *f, int32_t v) {
  int32_t label = f->label[v];
  f->waiting[v] = f->active[label];
  f->active[label] = v;
  if (label > f->highest)
    f->highest = label;
}

static void reach(RmFlow *f, int32_t v, int32_t label, int32_t *tail) {
  f->label[v] = label;
  f->current[v] = f->first[v];
  f->queue[(*tail)++] = v;
  enter_layer(f, v);
  if (f->excess[v] > 0)
    activate(f, v);
}

/* Labels become the exact distances to the sink. */
static void measure_distances(RmFlow *f) {
  int32_t tail = 0;
  for (int32_t v = 0; v <= f->cut_off; ++v) {
    f->label[v] = f->cut_off;
    f->layer[v] = f->active[v] = -1;
  }
  f->highest = f->top = 0;
  for (int32_t v = 0; v < f->nodes; ++v)
    if (f->drain[v] > 0)
      reach(f, v, 1, &tail);
  for (int32_t at = 0; at < tail; ++at) {
    int32_t v = f->queue[at];
    for (int32_t i = f->first[v]; i < f->first[v + 1]; ++i) {
      int32_t u = f->half[i].head;
      if (f->label[u] == f->cut_off && f->half[f->half[i].twin].room > 0)
        reach(f, u, f->label[v] + 1, &tail);
    }
  }
  f->work = 0;
  f->effort += f->nodes + 2 * (int64_t)f->arcs;
}

static void push_to_sink(RmFlow *f, int32_t v) {
  int64_t amount = f->excess[v] < f->drain[v] ? f->excess[v] : f->drain[v];
  f->excess[v] -= amount;
  f->drain[v] -= amount;
  f->sent += amount;
}

static void push_along(RmFlow *f, int32_t v, RmHalfArc *half) {
  int32_t u = half->head;
  int64_t amount = f->excess[v] < half->room ? f->excess[v] : half->room;
  if (f->excess[u] == 0)
    activate(f, u);
  half->room -= amount;
  f->half[half->twin].room += amount;
  f->excess[v] -= amount;
  f->excess[u] += amount;
  if (f->excess[u] > RM_FLOW_MAX)
    f->excess[u] = RM_FLOW_MAX;
}

/* No node has `label` any more, so none above it reaches the sink. */
static void cut_off_above(RmFlow *f, int32_t label) {
  for (int32_t i = label + 1; i <= f->top; ++i) {
    for (int32_t v = f->layer[i]; v >= 0; v = f->next[v])
      f->label[v] = f->cut_off;
    f->layer[i] = f->active[i] = -1;
  }
  f->top = label;
}

static void relabel(RmFlow *f, int32_t v) {
  int32_t old = f->label[v], lowest = f->cut_off;
  for (int32_t i = f->first[v]; i < f->first[v + 1]; ++i)
    if (f->half[i].room > 0 && f->label[f->half[i].head] + 1 < lowest) {
      lowest = f->label[f->half[i].head] + 1;
      f->current[v] = i;
    }
  f->work += f->first[v + 1] - f->first[v] + 8;
  f->effort += 2 * (f->first[v + 1] - f->first[v]);
  leave_layer(f, v);
  f->label[v] = lowest;
  if (f->layer[old] < 0) {
    f->label[v] = f->cut_off;
    cut_off_above(f, old);
  } else if (lowest < f->cut_off) {
    enter_layer(f, v);
  }
}

/* Sends what waits at v on its way until nothing is left or v is cut off. */
static void discharge(RmFlow *f, int32_t v) {
  if (f->label[v] == 1)
    push_to_sink(f, v);
  while (f->excess[v] > 0 && f->label[v] < f->cut_off) {
    int32_t end = f->first[v + 1];
    for (; f->current[v] < end; ++f->current[v]) {
      RmHalfArc *half = &f->half[f->current[v]];
      if (half->room > 0 && f->label[half->head] == f->label[v] - 1)
        push_along(f, v, half);
      if (f->excess[v] == 0)
        return;
    }
    relabel(f, v);
  }
}

int64_t rm_flow_run(RmFlow *f) {
  int64_t patience = 6 * (int64_t)f->nodes + f->arcs;
  measure_distances(f);
  while (f->highest > 0) {
    int32_t v = f->active[f->highest];
    if (v < 0) {
      --f->highest;
      continue;
    }
    f->active[f->highest] = f->waiting[v];
    discharge(f, v);
    if (f->work > patience)
      measure_distances(f);
  }
  measure_distances(f);
  return f->sent;
}
