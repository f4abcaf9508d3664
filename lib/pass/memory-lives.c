/* lib/pass/memory-lives.c - when the buffers of a function must hold their
 * bytes.
 *
 * Ops are numbered in the order they stand, bodies included. Which allocations
 * a memref may be is followed forward through views, selects, and what loops
 * and branches carry and yield. A buffer lives from the first op that touches
 * it to the last. A touch inside a loop that the buffer was made outside of
 * counts from the loop's begin to its end; a buffer made inside is new in each
 * iteration. Branches come one after the other in the numbering, so what is
 * only in one of them may share bytes with what is only in another.
 *
 * Blocks that branch to each other are numbered in an order of execution
 * (memory-blocks.c). Whatever path a buffer's value takes from where it is made
 * to where it is used, that goes back only along cycles that the buffer is made
 * outside of; such a cycle, if it has any step of the life, is part of the
 * life.
 *
 * What cannot be followed stays allocated, with the reason: it is returned or
 * kept by an op, leaves an iteration of a loop, stands where several iterations
 * run at once or where the ops that branch are not known.
 *
 * Invariant: the position of a dealloc decides nothing. */

#include "pass/memory-lives.h"

#include "pass/memory-blocks.h"
#include "pass/ops.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { FOREIGN = 0, NONE = -1 }; /* the root of memrefs from elsewhere */

typedef struct Scope { /* an op with regions that runs them in place */
  int32_t parent;
  bool is_loop;
  int64_t begin, end;
} Scope;

typedef struct Root {
  int32_t allocation; /* NONE for the foreign one */
  int32_t scope;
  int64_t begin;
  int64_t first, last; /* of `begin` and where block arguments that may be it
                          stand */
} Root;

typedef struct Cycle { /* from a block to one that branches back to it */
  int64_t begin, end;
} Cycle;

typedef struct Edge {
  int32_t from, to;
  int32_t loop;  /* what passes leaves an iteration of this scope, or NONE */
  int32_t cycle; /* or goes around this cycle, or NONE */
  int32_t next;  /* with the same `from`, or NONE */
} Edge;

typedef struct Value {
  int32_t first_edge;
  int64_t home; /* of an argument of a block that is branched to, or NONE */
  RmIntVec roots;
} Value;

typedef struct Touch {
  MlirOperation op;
  int32_t value, scope;
  int64_t begin, end;
} Touch;

typedef struct Escape {
  int32_t value;
  const char *why;
} Escape;

typedef struct Free {
  int32_t value;
  MlirOperation op;
} Free;

typedef struct Lives {
  RmPool *pool;
  RmMemoryUses *uses;
  MlirSymbolTable functions;
  RmMemoryLives result;
  RmMap numbers; /* of values, by pointer */
  RM_VEC(Value) values;
  RM_VEC(Edge) edges;
  RM_VEC(Root) roots;
  RM_VEC(Scope) scopes;
  RM_VEC(Touch) touches;
  RM_VEC(Escape) escapes;
  RM_VEC(Free) frees;
  RM_VEC(Cycle) cycles;
  int64_t position;
  int64_t total; /* bytes of all that can be planned, one by one */
} Lives;

/*===-- Types -------------------------------------------------------------===*/

static int64_t power_of_two_from(int64_t bits) {
  int64_t bytes = 1;
  while (bytes * 8 < bits)
    bytes *= 2;
  return bytes;
}

int64_t rm_element_bytes(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 8;
  if (mlirTypeIsAInteger(type))
    return power_of_two_from(mlirIntegerTypeGetWidth(type));
  if (mlirTypeIsAFloat(type))
    return power_of_two_from(mlirFloatTypeGetWidth(type));
  if (mlirTypeIsAComplex(type))
    return 2 * rm_element_bytes(mlirComplexTypeGetElementType(type));
  if (!mlirTypeIsAVector(type) || mlirVectorTypeIsScalable(type))
    return 0;
  int64_t rank = mlirShapedTypeGetRank(type);
  int64_t bytes = rm_element_bytes(mlirShapedTypeGetElementType(type));
  for (int64_t i = rank - 1; i >= 0; --i) {
    bytes *= mlirShapedTypeGetDimSize(type, i);
    if (i == rank - 1)
      bytes = power_of_two_from(8 * bytes);
  }
  return bytes;
}

/* -1 if it cannot be told, or not be held. */
static int64_t bytes_of(MlirType type) {
  int64_t bytes = rm_element_bytes(mlirShapedTypeGetElementType(type));
  if (!bytes)
    return -1;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    if (size && bytes > INT64_MAX / 4 / size)
      return -1;
    bytes *= size;
  }
  return bytes;
}

/*===-- Collecting --------------------------------------------------------===*/

static int32_t add_value(Lives *l, MlirValue value) {
  Value new_value = {NONE, NONE, {0}};
  rm_map_set(&l->numbers, rm_map_pointer(value.ptr), (int64_t)l->values.count);
  rm_vec_push(l->pool, &l->values, new_value);
  return (int32_t)l->values.count - 1;
}

static int32_t number_of(Lives *l, MlirValue value) {
  int64_t number = rm_map_or(&l->numbers, rm_map_pointer(value.ptr), NONE);
  return number >= 0 ? (int32_t)number : add_value(l, value);
}

static bool is_memref(MlirValue value) {
  return rm_type_is_memref(mlirValueGetType(value));
}

static bool is_used(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

/* What nobody uses cannot extend a life. */
static void add_edge(Lives *l, MlirValue from, MlirValue to, int32_t loop) {
  if (!is_memref(from) || !is_memref(to) || !is_used(to))
    return;
  int32_t source = number_of(l, from);
  Edge edge = {source, number_of(l, to), loop, NONE,
               l->values.items[source].first_edge};
  l->values.items[source].first_edge = (int32_t)l->edges.count;
  rm_vec_push(l->pool, &l->edges, edge);
}

static void add_escape(Lives *l, MlirValue value, const char *why) {
  Escape escape = {number_of(l, value), why};
  rm_vec_push(l->pool, &l->escapes, escape);
}

static void let_operands_escape(Lives *l, MlirOperation op, const char *why) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_memref(mlirOperationGetOperand(op, i)))
      add_escape(l, mlirOperationGetOperand(op, i), why);
}

static void add_root(Lives *l, MlirValue value, int32_t allocation,
                     int32_t scope) {
  Root root = {allocation, scope, l->position, l->position, l->position};
  int32_t number = number_of(l, value);
  rm_vec_push(l->pool, &l->values.items[number].roots, (int32_t)l->roots.count);
  rm_vec_push(l->pool, &l->roots, root);
}

/* `value` comes from where we cannot look. */
static void make_foreign(Lives *l, MlirValue value) {
  if (!is_memref(value))
    return;
  int32_t number = number_of(l, value);
  rm_vec_push(l->pool, &l->values.items[number].roots, FOREIGN);
}

static void make_results_foreign(Lives *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    make_foreign(l, mlirOperationGetResult(op, i));
}

static void touch_operands(Lives *l, MlirOperation op, int32_t scope,
                           int64_t begin) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_memref(value))
      continue;
    Touch touch = {op, number_of(l, value), scope, begin, l->position};
    rm_vec_push(l->pool, &l->touches, touch);
  }
}

static int64_t alignment_of(MlirOperation op) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, rm_str("alignment"));
  return mlirAttributeIsNull(attribute) ? 1
                                        : mlirIntegerAttrGetValueInt(attribute);
}

enum { MOST_BITS = 60 }; /* of all sizes, so that no sum of them overflows */

static const char *why_type_is_left(MlirType type) {
  if (!mlirShapedTypeHasStaticShape(type))
    return "its size is known at run time only";
  if (!mlirAffineMapIsIdentity(mlirMemRefTypeGetAffineMap(type)))
    return "its layout is not the identity";
  if (bytes_of(type) < 0)
    return "the bytes of its type are not known";
  return NULL;
}

/* The arena of an earlier run comes from elsewhere, as far as this one goes. */
static bool is_arena(MlirOperation op) {
  return !mlirAttributeIsNull(
      mlirOperationGetDiscardableAttributeByName(op, rm_str("remat.offsets")));
}

static const char *why_size_is_left(Lives *l, int64_t bytes,
                                    int64_t alignment) {
  if (alignment > RM_MOST_ALIGNMENT)
    return "it is aligned to more than a GiB";
  if (bytes > ((int64_t)1 << MOST_BITS) - l->total)
    return "all together would be too large";
  l->total += bytes;
  return NULL;
}

static void visit_allocation(Lives *l, MlirOperation op, int32_t scope,
                             const char *left) {
  if (is_arena(op)) {
    make_results_foreign(l, op);
    return;
  }
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(value);
  RmAllocation a = {.op = op,
                    .value = value,
                    .space = mlirMemRefTypeGetMemorySpace(type),
                    .bytes = bytes_of(type),
                    .alignment = alignment_of(op),
                    .lower = INT64_MAX,
                    .left = left ? left : why_type_is_left(type),
                    .is_followed = true,
                    .last_touch = NONE};
  if (!a.left)
    a.left = why_size_is_left(l, a.bytes, a.alignment);
  add_root(l, value, (int32_t)l->result.allocations.count, scope);
  rm_vec_push(l->pool, &l->result.allocations, a);
}

/*===-- Ops with regions --------------------------------------------------===*/

static void visit_block(Lives *l, MlirBlock block, int32_t scope,
                        const char *left);

static int32_t open_scope(Lives *l, int32_t parent, bool is_loop) {
  Scope scope = {parent, is_loop, l->position, 0};
  rm_vec_push(l->pool, &l->scopes, scope);
  return (int32_t)l->scopes.count - 1;
}

static MlirBlock block_of(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static bool has_branches(MlirBlock entry) {
  return !mlirBlockIsNull(entry) &&
         !mlirBlockIsNull(mlirBlockGetNextInRegion(entry));
}

static bool are_branches_known(MlirBlock block) {
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    MlirOperation terminator = mlirBlockGetTerminator(block);
    if (mlirOperationIsNull(terminator) || !rm_branch_is_known(terminator))
      return false;
  }
  return true;
}

/* Whether it is known how the regions of `op` run. */
static bool can_be_followed(MlirOperation op) {
  bool may_branch =
      rm_op_is(op, "func.func") || rm_op_is(op, "scf.execute_region");
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = block_of(op, r);
    if (has_branches(block) && (!may_branch || !are_branches_known(block)))
      return false;
  }
  return true;
}

/* scf.for has three operands before what it carries, affine.for any number;
 * both carry the last ones. What no iteration reads of the one before is only
 * given back by the last: no two of it are alive at once. */
static void connect_for(Lives *l, MlirOperation op, int32_t loop) {
  intptr_t count = mlirOperationGetNumResults(op);
  intptr_t first = mlirOperationGetNumOperands(op) - count;
  MlirOperation yield = rm_yield_of(op, 0);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue start = mlirOperationGetOperand(op, first + i);
    MlirValue argument = mlirBlockGetArgument(block_of(op, 0), i + 1);
    MlirValue next = mlirOperationGetOperand(yield, i);
    MlirValue result = mlirOperationGetResult(op, i);
    add_edge(l, start, argument, NONE);
    add_edge(l, start, result, NONE);
    add_edge(l, next, argument, loop);
    add_edge(l, next, result, is_used(argument) ? loop : NONE);
  }
}

static void connect_while(Lives *l, MlirOperation op, int32_t loop) {
  MlirOperation condition = rm_yield_of(op, 0), yield = rm_yield_of(op, 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue argument = mlirBlockGetArgument(block_of(op, 0), i);
    add_edge(l, mlirOperationGetOperand(op, i), argument, NONE);
    add_edge(l, mlirOperationGetOperand(yield, i), argument, loop);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue passed = mlirOperationGetOperand(condition, i + 1);
    add_edge(l, passed, mlirBlockGetArgument(block_of(op, 1), i), NONE);
    add_edge(l, passed, mlirOperationGetResult(op, i), NONE);
  }
}

static void connect_yield(Lives *l, MlirOperation op, MlirBlock block) {
  MlirOperation yield = mlirBlockGetTerminator(block);
  if (rm_memory_use(l->uses, yield) != RM_USE_YIELDS ||
      mlirOperationGetNumSuccessors(yield))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_edge(l, mlirOperationGetOperand(yield, i),
             mlirOperationGetResult(op, i), NONE);
}

static void connect_branches(Lives *l, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = block_of(op, r); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      connect_yield(l, op, block);
}

/* Nothing inside can be followed: what is used there escapes. */
static MlirWalkResult give_up_inside(MlirOperation op, void *user) {
  Lives *l = user;
  const char *why = "it is used where control flow cannot be followed";
  ++l->position;
  let_operands_escape(l, op, why);
  if (rm_memory_use(l->uses, op) != RM_USE_ALLOCATES) {
    make_results_foreign(l, op);
    return MlirWalkResultAdvance;
  }
  visit_allocation(l, op, 0, why);
  add_escape(l, mlirOperationGetResult(op, 0), why);
  return MlirWalkResultAdvance;
}

static void give_up_on(Lives *l, MlirOperation op) {
  mlirOperationWalk(op, give_up_inside, l, MlirWalkPreOrder);
}

/*===-- Blocks that branch to each other ----------------------------------===*/

/* What goes back to where it came from closes a cycle. */
static void connect_successor(Lives *l, const RmBlockOrder *order,
                              const Cycle *spans, int64_t from, intptr_t s) {
  MlirOperation branch = mlirBlockGetTerminator(order->blocks.items[from]);
  MlirBlock successor = mlirOperationGetSuccessor(branch, s);
  int64_t to = rm_map_or(&order->numbers, rm_map_pointer(successor.ptr), 0);
  size_t first = l->edges.count;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(successor); ++i)
    add_edge(l, rm_branch_operand(branch, s, i),
             mlirBlockGetArgument(successor, i), NONE);
  if (to > from)
    return;
  Cycle cycle = {spans[to].begin, spans[from].end};
  for (size_t e = first; e < l->edges.count; ++e)
    l->edges.items[e].cycle = (int32_t)l->cycles.count;
  rm_vec_push(l->pool, &l->cycles, cycle);
}

static void settle_arguments(Lives *l, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    if (!is_memref(argument))
      continue;
    int32_t number = number_of(l, argument); /* may move the others */
    l->values.items[number].home = l->position;
  }
}

static void give_up_on_unreached(Lives *l, MlirBlock block,
                                 const RmBlockOrder *order) {
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    if (rm_map_or(&order->numbers, rm_map_pointer(block.ptr), NONE) != NONE)
      continue;
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
      give_up_on(l, op);
  }
}

static void visit_branching(Lives *l, MlirRegion region, int32_t scope,
                            const char *left) {
  RmBlockOrder order = rm_block_order(region, l->pool);
  Cycle *spans = RM_NEW_ARRAY(l->pool, Cycle, order.blocks.count);
  for (size_t i = 0; i < order.blocks.count; ++i) {
    spans[i].begin = ++l->position;
    if (i)
      settle_arguments(l, order.blocks.items[i]);
    visit_block(l, order.blocks.items[i], scope, left);
    spans[i].end = l->position;
  }
  for (size_t i = 0; i < order.blocks.count; ++i)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(order.blocks.items[i]);
         ++s)
      connect_successor(l, &order, spans, (int64_t)i, s);
  give_up_on_unreached(l, mlirRegionGetFirstBlock(region), &order);
}

static void visit_region(Lives *l, MlirRegion region, int32_t scope,
                         const char *left) {
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  if (has_branches(entry))
    visit_branching(l, region, scope, left);
  else if (!mlirBlockIsNull(entry))
    visit_block(l, entry, scope, left);
}

static void visit_regions(Lives *l, MlirOperation op, int32_t scope,
                          const char *left) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    visit_region(l, mlirOperationGetRegion(op, r), scope, left);
  l->scopes.items[scope].end = l->position;
}

static void visit_structure(Lives *l, MlirOperation op, RmMemoryUse use,
                            int32_t parent, const char *left) {
  bool loops = use != RM_USE_BRANCHES;
  int32_t scope = open_scope(l, parent, loops);
  if (use == RM_USE_LOOPS)
    connect_for(l, op, scope);
  else if (use == RM_USE_LOOPS_ON)
    connect_while(l, op, scope);
  else if (use == RM_USE_BRANCHES)
    connect_branches(l, op);
  if (use == RM_USE_SPREADS) {
    left = "several iterations that make one may run at once";
    make_results_foreign(l, op);
  }
  visit_regions(l, op, scope, left);
}

/*===-- Every op ----------------------------------------------------------===*/

static void visit_view(Lives *l, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
      add_edge(l, mlirOperationGetOperand(op, i), mlirOperationGetResult(op, r),
               NONE);
}

static void visit_call(Lives *l, MlirOperation op, int32_t scope) {
  MlirOperation callee = rm_callee_of(op, l->functions);
  make_results_foreign(l, op);
  if (!mlirOperationIsNull(callee) &&
      rm_function_borrows(l->uses, l->functions, callee))
    touch_operands(l, op, scope, l->position);
  else
    let_operands_escape(l, op, "it is passed to a call that may keep it");
}

static void visit_free(Lives *l, MlirOperation op) {
  Free free = {number_of(l, mlirOperationGetOperand(op, 0)), op};
  rm_vec_push(l->pool, &l->frees, free);
}

static void visit_unknown(Lives *l, MlirOperation op) {
  const char *why = rm_op_is(op, "func.return")
                        ? "it is returned"
                        : "it is given to an op that may keep it";
  let_operands_escape(l, op, why);
  make_results_foreign(l, op);
  if (mlirOperationGetNumRegions(op))
    give_up_on(l, op);
}

/* Touches memory itself and in its regions, at most to its end. */
static void visit_plain(Lives *l, MlirOperation op, int32_t scope,
                        const char *left) {
  int64_t begin = l->position;
  if (mlirOperationGetNumRegions(op))
    visit_regions(l, op, open_scope(l, scope, true), left);
  touch_operands(l, op, scope, begin);
  if (!rm_op_name_begins(op, "linalg."))
    return;
  RmLinalgStep step = {op, begin, l->position};
  rm_vec_push(l->pool, &l->result.steps, step);
}

static void visit_op(Lives *l, MlirOperation op, int32_t scope,
                     const char *left) {
  RmMemoryUse use = rm_memory_use(l->uses, op);
  ++l->position;
  if (!can_be_followed(op)) {
    give_up_on(l, op);
    return;
  }
  switch (use) {
  case RM_USE_ALLOCATES:
    visit_allocation(l, op, scope, left);
    break;
  case RM_USE_VIEWS:
    visit_view(l, op);
    break;
  case RM_USE_FREES:
    visit_free(l, op);
    break;
  case RM_USE_CALLS:
    visit_call(l, op, scope);
    break;
  case RM_USE_LOOPS:
  case RM_USE_LOOPS_ON:
  case RM_USE_BRANCHES:
  case RM_USE_SPREADS:
    visit_structure(l, op, use, scope, left);
    break;
  case RM_USE_YIELDS:
    break;
  case RM_USE_TOUCHES:
  case RM_USE_COPIES:
    visit_plain(l, op, scope, left);
    break;
  case RM_USE_KEEPS:
    visit_unknown(l, op);
    break;
  }
}

static void visit_block(Lives *l, MlirBlock block, int32_t scope,
                        const char *left) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    visit_op(l, op, scope, left);
}

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
  const RmAllocation *a = &l->result.allocations.items[number];
  return number == NONE || mlirOperationIsNull(a->op) || a->left;
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

static bool is_result(MlirOperation function, intptr_t i) {
  MlirAttribute all =
      mlirOperationGetAttributeByName(function, rm_str("arg_attrs"));
  return !mlirAttributeIsNull(all) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             mlirArrayAttrGetElement(all, i), rm_str("bufferize.result")));
}

static void add_result(Lives *l, MlirValue argument) {
  MlirType type = mlirValueGetType(argument);
  RmAllocation a = {.value = argument,
                    .space = mlirMemRefTypeGetMemorySpace(type),
                    .bytes = bytes_of(type),
                    .alignment = 1,
                    .lower = INT64_MAX,
                    .is_followed = true,
                    .last_touch = NONE};
  add_root(l, argument, (int32_t)l->result.allocations.count, 0);
  rm_vec_push(l->pool, &l->result.allocations, a);
}

static void visit_function(Lives *l, MlirOperation function,
                           bool with_results) {
  MlirBlock entry = block_of(function, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    MlirType type = mlirValueGetType(argument);
    if (with_results && is_result(function, i) && mlirTypeIsAMemRef(type) &&
        !why_type_is_left(type))
      add_result(l, argument);
    else
      make_foreign(l, argument);
  }
  if (can_be_followed(function))
    visit_region(l, mlirOperationGetRegion(function, 0), 0, NULL);
  else
    give_up_on(l, function);
}

RmMemoryLives rm_memory_lives(MlirOperation function, MlirSymbolTable functions,
                              bool with_results, RmMemoryUses *uses,
                              RmPool *pool) {
  Lives l = {.pool = pool, .uses = uses, .functions = functions};
  Scope body = {NONE, false, 0, INT64_MAX};
  Root foreign = {.allocation = NONE};
  l.numbers = rm_map_create(pool);
  rm_vec_push(pool, &l.scopes, body);
  rm_vec_push(pool, &l.roots, foreign);
  visit_function(&l, function, with_results);
  follow(&l);
  for (size_t e = 0; e < l.escapes.count; ++e) {
    const RmIntVec *roots = &l.values.items[l.escapes.items[e].value].roots;
    for (size_t i = 0; i < roots->count; ++i)
      leave(&l, roots->items[i], l.escapes.items[e].why);
  }
  settle_frees(&l);
  measure(&l);
  measure_around_cycles(&l);
  return l.result;
}
