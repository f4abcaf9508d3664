/* lib/plan/layers.c - finding stacks of equal layers, and what is in step. */
#include "plan/layers.h"
#include "support/map.h"

#include <stdlib.h>

/*===-- Stacks ------------------------------------------------------------===*/

enum {
  WINDOW = 8,   /* ops that must be alike for a look at the rest */
  PERIODS = 32, /* tried from one op */
  LEAST_COPIES = 6,
  WORK_PER_OP = 64 /* comparisons */
};

typedef struct Finder {
  const RmGraph *graph;
  RmPool *pool;
  uint64_t *labels; /* by op: of its cost and bytes, and those it reads of */
  int32_t *next;    /* by op: the next at which a window is alike; -1: none */
  int32_t count;
  int64_t work; /* comparisons left */
} Finder;

static uint64_t mix(uint64_t hash, int64_t number) {
  return rm_hash_bytes(&number, sizeof number, hash);
}

static uint64_t label_alone(const RmGraph *g, int32_t op) {
  const RmOp *o = &g->ops.items[op];
  uint64_t hash = mix(mix(mix(0, o->cost), o->workspace), o->recomputable);
  for (int32_t i = 0; i < o->num_results; ++i) {
    const RmValue *v = &g->values.items[o->first_result + i];
    hash = mix(hash, v->counted ? v->bytes : -1);
  }
  return hash;
}

static void label_ops(Finder *f) {
  uint64_t *alone = RM_NEW_ARRAY(f->pool, uint64_t, f->count);
  f->labels = RM_NEW_ARRAY(f->pool, uint64_t, f->count);
  for (int32_t op = 0; op < f->count; ++op) {
    const RmOp *o = &f->graph->ops.items[op];
    alone[op] = f->labels[op] = label_alone(f->graph, op);
    for (int32_t i = 0; i < o->num_inputs; ++i) {
      int32_t input = rm_op_inputs(f->graph, op)[i];
      int32_t maker = f->graph->values.items[input].op;
      f->labels[op] =
          mix(f->labels[op], maker < 0 ? -1 : (int64_t)alone[maker]);
    }
  }
}

static void link_windows(Finder *f) {
  RmMap last = rm_map_create(f->pool);
  f->next = RM_NEW_ARRAY(f->pool, int32_t, f->count);
  for (int32_t op = f->count - 1; op >= 0; --op) {
    f->next[op] = -1;
    if (op + WINDOW > f->count)
      continue;
    uint64_t hash =
        rm_hash_bytes(f->labels + op, WINDOW * sizeof *f->labels, 0);
    f->next[op] = (int32_t)rm_map_or(&last, hash, -1);
    rm_map_set(&last, hash, op);
  }
}

/* How many times the `length` ops from `first` on stand one behind another. */
static int32_t count_copies(Finder *f, int32_t first, int32_t length) {
  int32_t end = first;
  while (end + length < f->count && f->work-- > 0 &&
         f->labels[end] == f->labels[end + length])
    ++end;
  return (end - first) / length + 1;
}

/* Of the stacks that begin at an op the one of most ops. */
static RmStack largest_stack(Finder *f, int32_t first) {
  RmStack best = {.first = first, .tower = -1};
  int32_t other = f->next[first];
  for (int i = 0; i < PERIODS && other >= 0; ++i, other = f->next[other]) {
    int32_t length = other - first;
    int32_t copies = count_copies(f, first, length);
    if (copies < LEAST_COPIES ||
        copies * length <= best.copies * best.length + best.length)
      continue;
    best.length = length;
    best.copies = copies;
  }
  return best;
}

static void find_stacks(Finder *f, RmLayers *layers) {
  f->work = (int64_t)WORK_PER_OP * f->count;
  layers->stack_of = RM_NEW_ARRAY(f->pool, int32_t, f->count);
  for (int32_t op = 0; op < f->count;) {
    RmStack stack = largest_stack(f, op);
    int32_t end = op + stack.copies * stack.length;
    if (!stack.copies) {
      layers->stack_of[op++] = -1;
      continue;
    }
    for (; op < end; ++op)
      layers->stack_of[op] = (int32_t)layers->stacks.count;
    rm_vec_push(f->pool, &layers->stacks, stack);
  }
}

/*===-- Towers ------------------------------------------------------------===*/

/* An op of a copy of one stack reads a value made in a copy of another. */
typedef struct Edge {
  int32_t from, to; /* stacks */
  int32_t sign;     /* 1: copies ascend together; -1: against each other */
  int32_t offset;   /* copy of `from`, minus sign times copy of `to` */
} Edge;

static int compare_edges(const void *a, const void *b) {
  const Edge *x = a, *y = b;
  int32_t by[] = {x->from - y->from, x->to - y->to, x->sign - y->sign,
                  x->offset - y->offset};
  for (int i = 0; i < 4; ++i)
    if (by[i])
      return by[i] < 0 ? -1 : 1;
  return 0;
}

typedef RM_VEC(Edge) Edges;

static Edges list_edges(const Finder *f, const RmLayers *layers) {
  Edges edges = {0};
  for (int32_t op = 0; op < f->count; ++op) {
    int32_t to = layers->stack_of[op];
    for (int32_t i = 0; to >= 0 && i < f->graph->ops.items[op].num_inputs;
         ++i) {
      int32_t maker = f->graph->values.items[rm_op_inputs(f->graph, op)[i]].op;
      int32_t from = maker < 0 ? -1 : layers->stack_of[maker];
      if (from < 0 || from == to)
        continue;
      const RmStack *a = &layers->stacks.items[from];
      const RmStack *b = &layers->stacks.items[to];
      int32_t read = (maker - a->first) / a->length;
      int32_t reader = (op - b->first) / b->length;
      for (int32_t sign = -1; sign <= 1; sign += 2)
        rm_vec_push(f->pool, &edges,
                    ((Edge){from, to, sign, read - sign * reader}));
    }
  }
  if (edges.count)
    qsort(edges.items, edges.count, sizeof(Edge), compare_edges);
  return edges;
}

/* A way in which many edges of two stacks agree. */
typedef struct Step {
  Edge edge;
  int32_t votes;
} Step;

typedef RM_VEC(Step) Steps;

/* Most votes first. */
static int compare_steps(const void *a, const void *b) {
  const Step *x = a, *y = b;
  if (x->votes != y->votes)
    return x->votes > y->votes ? -1 : 1;
  return compare_edges(&x->edge, &y->edge);
}

/* Those that at least half as many edges agree on as the larger stack has
 * copies. */
static Steps count_votes(const Finder *f, const RmLayers *layers,
                         const Edges *edges) {
  Steps steps = {0};
  for (size_t i = 0, end; i < edges->count; i = end) {
    Edge edge = edges->items[i];
    for (end = i + 1;
         end < edges->count && !compare_edges(&edge, &edges->items[end]);)
      ++end;
    int32_t a = layers->stacks.items[edge.from].copies;
    int32_t b = layers->stacks.items[edge.to].copies;
    if (2 * (int32_t)(end - i) >= (a < b ? b : a))
      rm_vec_push(f->pool, &steps, ((Step){edge, (int32_t)(end - i)}));
  }
  if (steps.count)
    qsort(steps.items, steps.count, sizeof(Step), compare_steps);
  return steps;
}

/* Puts `b` in step with `a`: copy c of `a` is one layer with the copy of `b`
 * at which c = sign * copy + offset. */
static void join(const RmStack *a, RmStack *b, int32_t sign, int32_t offset) {
  b->tower = a->tower;
  b->sign = a->sign * sign;
  b->offset = a->offset + a->sign * offset;
}

/* The step of most votes between a stack of the tower and one of none; false if
 * there is none. */
static bool grow_tower(RmLayers *layers, int32_t tower, const Steps *steps) {
  for (size_t i = 0; i < steps->count; ++i) {
    const Edge *e = &steps->items[i].edge;
    RmStack *from = &layers->stacks.items[e->from];
    RmStack *to = &layers->stacks.items[e->to];
    if (from->tower == tower && to->tower < 0)
      return join(from, to, e->sign, e->offset), true;
    if (to->tower == tower && from->tower < 0)
      return join(to, from, e->sign, -e->sign * e->offset), true;
  }
  return false;
}

static void build_towers(const Finder *f, RmLayers *layers) {
  Edges edges = list_edges(f, layers);
  Steps steps = count_votes(f, layers, &edges);
  for (size_t i = 0; i < layers->stacks.count; ++i) {
    RmStack *stack = &layers->stacks.items[i];
    if (stack->tower >= 0)
      continue;
    stack->tower = layers->num_towers;
    stack->sign = 1;
    stack->offset = 0;
    while (grow_tower(layers, layers->num_towers, &steps))
      ;
    ++layers->num_towers;
  }
}

RmLayers rm_layers_find(const RmGraph *graph, RmPool *pool) {
  RmLayers layers = {0};
  Finder f = {.graph = graph, .pool = pool, .count = (int32_t)graph->ops.count};
  label_ops(&f);
  link_windows(&f);
  find_stacks(&f, &layers);
  build_towers(&f, &layers);
  return layers;
}
