/* lib/pass/memory-visit.c - what a function does with its memrefs, op by op.
 *
 * Ops are numbered in the order they stand, bodies included; blocks that branch
 * to each other in an order of execution (memory-blocks.c). Noted are the
 * allocations, the values that may be one of them because another value is, who
 * touches a value when, and what escapes. What cannot be planned wherever its
 * values go is said to be so here. */

#include "pass/memory-visit.h"

#include "pass/memory-blocks.h"
#include "pass/ops.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { NONE = RM_NONE };

typedef RmLivesScope Scope;
typedef RmLivesRoot Root;
typedef RmLivesCycle Cycle;
typedef RmLivesEdge Edge;
typedef RmLivesValue Value;
typedef RmLivesTouch Touch;
typedef RmLivesEscape Escape;
typedef RmLivesFree Free;
typedef RmLivesWork Lives;

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

static void let_operand_escape(Lives *l, MlirOperation op, intptr_t i,
                               const char *why) {
  if (is_memref(mlirOperationGetOperand(op, i)))
    add_escape(l, mlirOperationGetOperand(op, i), why);
}

static void let_operands_escape(Lives *l, MlirOperation op, const char *why) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    let_operand_escape(l, op, i, why);
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
  rm_vec_push(l->pool, &l->values.items[number].roots, RM_FOREIGN);
}

static void make_results_foreign(Lives *l, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    make_foreign(l, mlirOperationGetResult(op, i));
}

static void touch_operand(Lives *l, MlirOperation op, intptr_t i, int32_t scope,
                          int64_t begin) {
  MlirValue value = mlirOperationGetOperand(op, i);
  if (!is_memref(value))
    return;
  Touch touch = {op, number_of(l, value), scope, begin, l->position};
  rm_vec_push(l->pool, &l->touches, touch);
}

static void touch_operands(Lives *l, MlirOperation op, int32_t scope,
                           int64_t begin) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    touch_operand(l, op, i, scope, begin);
}

/* What loads and stores of its elements count on; `bytes` of one may be 0. */
static int64_t natural_alignment(MlirType memref) {
  int64_t bytes = rm_element_bytes(mlirShapedTypeGetElementType(memref));
  return bytes ? bytes & -bytes : 1;
}

static int64_t alignment_of(MlirOperation op, MlirType memref) {
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, rm_str("alignment"));
  int64_t natural = natural_alignment(memref), asked = 0;
  if (!mlirAttributeIsNull(attribute))
    asked = mlirIntegerAttrGetValueInt(attribute);
  return asked > natural ? asked : natural;
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
                    .alignment = alignment_of(op, type),
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

/* An arena that this pass made an argument is for the time of the call. */
static bool is_lent_arena(MlirOperation callee, intptr_t i) {
  return !mlirAttributeIsNull(
      rm_argument_attribute(callee, i, "remat.offsets"));
}

static void visit_call(Lives *l, MlirOperation op, int32_t scope) {
  MlirOperation callee = rm_callee_of(op, l->functions);
  bool is_known = !mlirOperationIsNull(callee);
  bool borrows = is_known && rm_function_borrows(l->uses, l->functions, callee);
  make_results_foreign(l, op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (borrows || (is_known && is_lent_arena(callee, i)))
      touch_operand(l, op, i, scope, l->position);
    else
      let_operand_escape(l, op, i, "it is passed to a call that may keep it");
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

static bool is_result(MlirOperation function, intptr_t i) {
  return !mlirAttributeIsNull(
      rm_argument_attribute(function, i, "bufferize.result"));
}

static void add_result(Lives *l, MlirValue argument) {
  MlirType type = mlirValueGetType(argument);
  RmAllocation a = {.value = argument,
                    .space = mlirMemRefTypeGetMemorySpace(type),
                    .bytes = bytes_of(type),
                    .alignment = natural_alignment(type),
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

void rm_lives_visit(Lives *l, MlirOperation function, bool with_results) {
  Scope body = {NONE, false, 0, INT64_MAX};
  Root foreign = {.allocation = NONE};
  l->numbers = rm_map_create(l->pool);
  rm_vec_push(l->pool, &l->scopes, body);
  rm_vec_push(l->pool, &l->roots, foreign);
  visit_function(l, function, with_results);
}
