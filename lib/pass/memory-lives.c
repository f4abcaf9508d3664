/* lib/pass/memory-lives.c - when the buffers of a function must hold their
 * bytes.
 *
 * Ops are numbered, and what they do is noted (memory-visit.c). Which
 * allocations a memref may be is followed forward through views, selects, and
 * what loops and branches carry and yield. A buffer lives from the first op
 * that touches it to the last. A touch inside a loop that the buffer was made
 * outside of counts from the loop's begin to its end; a buffer made inside is
 * new in each iteration. Branches come one after the other in the numbering, so
 * what is only in one of them may share bytes with what is only in another.
 *
 * Blocks that branch to each other are numbered in an order of execution.
 * Whatever path a buffer's value takes from where it is made to where it is
 * used, that goes back only along cycles that the buffer is made outside of;
 * such a cycle, if it has any step of the life, is part of the life.
 *
 * What cannot be followed stays allocated, with the reason: it is returned or
 * kept by an op, leaves an iteration of a loop, stands where several iterations
 * run at once or where the ops that branch are not known.
 *
 * Invariant: the position of a dealloc decides nothing. */

#include "pass/memory-visit.h"

enum { NONE = RM_NONE };

typedef RmLivesRoot Root;
typedef RmLivesCycle Cycle;
typedef RmLivesEdge Edge;
typedef RmLivesValue Value;
typedef RmLivesTouch Touch;
typedef RmLivesWork Lives;

/*===-- Following ---------------------------------------------------------===*/

static void leave(Lives *l, int32_t root, const char *why) {
  int32_t number = l->roots.items[root].allocation;
  if (number == NONE)
    return;
  RmAllocation *a = &l->result.allocations.items[number];
  a->is_followed = false;
  if (!a->left)
    a->left = why;
}

static bool is_within(const Lives *l, int32_t scope, int32_t outer) {
  while (scope > outer) /* parents have smaller numbers */
    scope = l->scopes.items[scope].parent;
  return scope == outer;
}

/* Whether the next iteration would see what this one made. */
static bool goes_around(const Lives *l, const Edge *edge, int32_t root) {
  const Root *r = &l->roots.items[root];
  if (edge->cycle != NONE) {
    const Cycle *cycle = &l->cycles.items[edge->cycle];
    return r->begin >= cycle->begin && r->begin <= cycle->end;
  }
  return edge->loop != NONE && is_within(l, r->scope, edge->loop);
}

static bool add_to(Lives *l, RmIntVec *roots, int32_t root) {
  for (size_t i = 0; i < roots->count; ++i)
    if (roots->items[i] == root)
      return false;
  rm_vec_push(l->pool, roots, root);
  return true;
}

typedef struct Step {
  int32_t value, root;
} Step;

static void follow(Lives *l) {
  RM_VEC(Step) todo = {0};
  for (size_t v = 0; v < l->values.count; ++v)
    for (size_t i = 0; i < l->values.items[v].roots.count; ++i) {
      Step step = {(int32_t)v, l->values.items[v].roots.items[i]};
      rm_vec_push(l->pool, &todo, step);
    }
  while (todo.count) {
    Step at = todo.items[--todo.count];
    for (int32_t e = l->values.items[at.value].first_edge; e != NONE;
         e = l->edges.items[e].next) {
      const Edge *edge = &l->edges.items[e];
      if (goes_around(l, edge, at.root))
        leave(l, at.root, "it leaves the iteration of a loop that makes it");
      if (!add_to(l, &l->values.items[edge->to].roots, at.root))
        continue;
      Step step = {edge->to, at.root};
      rm_vec_push(l->pool, &todo, step);
    }
  }
}

static bool is_left(const Lives *l, int32_t root) {
  int32_t number = l->roots.items[root].allocation;
  if (number == NONE)
    return true;
  const RmAllocation *a = &l->result.allocations.items[number];
  return mlirOperationIsNull(a->op) || a->left;
}

/* A dealloc frees what it is given or is erased: all or none may be planned. */
static void settle_frees(Lives *l) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 0; f < l->frees.count; ++f) {
      const RmIntVec *roots = &l->values.items[l->frees.items[f].value].roots;
      size_t left = 0;
      for (size_t i = 0; i < roots->count; ++i)
        left += is_left(l, roots->items[i]);
      if (!left || left == roots->count)
        continue;
      for (size_t i = 0; i < roots->count; ++i)
        leave(l, roots->items[i], "it is freed together with one that stays");
      changed = true;
    }
  }
  for (size_t f = 0; f < l->frees.count; ++f) {
    const RmIntVec *roots = &l->values.items[l->frees.items[f].value].roots;
    if (roots->count && !is_left(l, roots->items[0]))
      rm_vec_push(l->pool, &l->result.frees, l->frees.items[f].op);
  }
}

/* The outermost loop around `scope` that `home` is outside of; NONE if there
 * is none. */
static int32_t outermost_loop(const Lives *l, int32_t scope, int32_t home) {
  int32_t loop = NONE;
  for (; !is_within(l, home, scope); scope = l->scopes.items[scope].parent)
    if (l->scopes.items[scope].is_loop)
      loop = scope;
  return loop;
}

static void extend(Lives *l, const Touch *touch, int32_t root) {
  const Root *r = &l->roots.items[root];
  if (r->allocation == NONE)
    return;
  int64_t begin = touch->begin, end = touch->end;
  int32_t loop = outermost_loop(l, touch->scope, r->scope);
  if (loop != NONE)
    begin = l->scopes.items[loop].begin, end = l->scopes.items[loop].end;
  RmAllocation *a = &l->result.allocations.items[r->allocation];
  a->lower = begin < a->lower ? begin : a->lower;
  a->upper = end + 1 > a->upper ? end + 1 : a->upper;
  RmTouch note = {touch->op, touch->begin, touch->end, a->last_touch};
  a->last_touch = (int32_t)l->result.touches.count;
  rm_vec_push(l->pool, &l->result.touches, note);
}

/* A buffer that is made outside of a cycle, or held by what is, keeps its bytes
 * all around it. That of a root which is made inside of it is made anew. */
static bool extend_around(Lives *l, const Root *root, const Cycle *cycle) {
  RmAllocation *a = &l->result.allocations.items[root->allocation];
  bool is_met = a->lower <= cycle->end && cycle->begin < a->upper;
  bool is_inside = cycle->begin <= root->first && root->last <= cycle->end;
  if (!is_met || is_inside ||
      (a->lower <= cycle->begin && cycle->end < a->upper))
    return false;
  a->lower = cycle->begin < a->lower ? cycle->begin : a->lower;
  a->upper = cycle->end + 1 > a->upper ? cycle->end + 1 : a->upper;
  return true;
}

static void note_holders(Lives *l) {
  for (size_t v = 0; v < l->values.count; ++v) {
    const Value *value = &l->values.items[v];
    for (size_t i = 0; value->home != NONE && i < value->roots.count; ++i) {
      Root *root = &l->roots.items[value->roots.items[i]];
      root->first = value->home < root->first ? value->home : root->first;
      root->last = value->home > root->last ? value->home : root->last;
    }
  }
}

static void measure_around_cycles(Lives *l) {
  if (!l->cycles.count)
    return;
  note_holders(l);
  for (size_t r = 1; r < l->roots.count; ++r)
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t c = 0; c < l->cycles.count; ++c)
        changed |= extend_around(l, &l->roots.items[r], &l->cycles.items[c]);
    }
}

static void measure(Lives *l) {
  for (size_t t = 0; t < l->touches.count; ++t) {
    const Touch *touch = &l->touches.items[t];
    const RmIntVec *roots = &l->values.items[touch->value].roots;
    for (size_t i = 0; i < roots->count; ++i)
      extend(l, touch, roots->items[i]);
  }
  for (size_t r = 1; r < l->roots.count; ++r) {
    RmAllocation *a =
        &l->result.allocations.items[l->roots.items[r].allocation];
    if (a->lower < a->upper)
      continue;
    a->lower = l->roots.items[r].begin; /* nobody touches it */
    a->upper = a->lower + 1;
  }
}

static void let_escape(Lives *l) {
  for (size_t e = 0; e < l->escapes.count; ++e) {
    const RmIntVec *roots = &l->values.items[l->escapes.items[e].value].roots;
    for (size_t i = 0; i < roots->count; ++i)
      leave(l, roots->items[i], l->escapes.items[e].why);
  }
}

RmMemoryLives rm_memory_lives(MlirOperation function, MlirSymbolTable functions,
                              bool with_results, RmMemoryUses *uses,
                              RmPool *pool) {
  Lives l = {.pool = pool, .uses = uses, .functions = functions};
  rm_lives_visit(&l, function, with_results);
  follow(&l);
  let_escape(&l);
  settle_frees(&l);
  measure(&l);
  measure_around_cycles(&l);
  return l.result;
}

RmBytesAlive rm_memory_alive(const RmMemoryLives *lives, const int32_t *shares,
                             RmPool *pool) {
  RmBytesAlive alive = {0};
  for (size_t i = 0; i < lives->allocations.count; ++i)
    if (alive.ticks < lives->allocations.items[i].upper)
      alive.ticks = lives->allocations.items[i].upper;
  alive.at = RM_NEW_ARRAY(pool, int64_t, alive.ticks + 1);
  for (size_t i = 0; i < lives->allocations.count; ++i) {
    const RmAllocation *a = &lives->allocations.items[i];
    if (a->left || mlirOperationIsNull(a->op) ||
        (shares && shares[i] != (int32_t)i))
      continue;
    alive.at[a->lower] += a->bytes;
    alive.at[a->upper] -= a->bytes;
  }
  for (int64_t t = 1; t <= alive.ticks; ++t) {
    alive.at[t] += alive.at[t - 1];
    alive.peak = alive.at[t] > alive.peak ? alive.at[t] : alive.peak;
  }
  return alive;
}

RmMap rm_memory_numbers(const RmMemoryLives *lives, RmPool *pool) {
  RmMap numbers = rm_map_create(pool);
  for (size_t i = 0; i < lives->allocations.count; ++i)
    rm_map_set(&numbers, rm_map_pointer(lives->allocations.items[i].value.ptr),
               (int64_t)i);
  return numbers;
}
