/* lib/pass/plan-memory.c - every buffer into one arena, at a fixed place.
 *
 * In each function the allocations of static size and identity layout, at any
 * depth, become views of one allocation of bytes for each memory space. Their
 * offsets come from their lives (memory-lives.c) and the packer (lib/memory);
 * what it answers is checked by brute force before the IR is touched. With
 * `arena=argument` the caller lends the bytes: an argument behind the others,
 * and a function that tells how many.
 *
 * Deallocs of what is planned are erased; the arena is freed where the function
 * returns. What is not planned stays, and one remark says why.
 *
 * needs:  bufferized functions
 * keeps:  every value in memory while it is needed
 * breaks: nothing; a second run finds nothing to do but the arena itself */

#include "memory/memory.h"
#include "pass/memory-lives.h"
#include "pass/ops.h"
#include "pass/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct Planner {
  RmPool *pool; /* of the function at hand */
  RmPassRun *run;
  MlirContext context;
  MlirOperation module, function;
  MlirSymbolTable functions;
  RmMemoryUses uses;
  RmMemoryLives lives;
  int64_t alignment;
  int effort;
  bool lent;      /* the caller of `function` lends the arena */
  RmMap referred; /* hashes of the names that some op refers to */
  bool changed, wrote_lives;
} Planner;

/* The planned buffers of one memory space. */
typedef struct Arena {
  RmIntVec members; /* numbers of allocations */
  RmBuffer *buffers;
  RmPlacement placement;
  int64_t alignment, bytes; /* bytes: a multiple of the alignment, for that is
                               what allocators hand out */
  MlirAttribute space;
  MlirValue value; /* in the IR */
} Arena;

/*===-- Making ops --------------------------------------------------------===*/

static MlirNamedAttribute named(Planner *p, const char *name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(p->context, rm_str(name)),
                               attribute);
}

static MlirAttribute integer(Planner *p, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(p->context, 64), value);
}

static MlirType arena_type(Planner *p, const Arena *arena) {
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(p->context, 8), 1,
                                     &arena->bytes, arena->space);
}

/* Offset and bytes of each buffer, in program order. */
static MlirAttribute offsets_attribute(Planner *p, const Arena *arena) {
  intptr_t count = (intptr_t)arena->members.count;
  int64_t *pairs = RM_NEW_ARRAY(p->pool, int64_t, 2 * count);
  for (intptr_t i = 0; i < count; ++i) {
    pairs[2 * i] = arena->placement.offsets[i];
    pairs[2 * i + 1] = arena->buffers[i].size;
  }
  return mlirDenseI64ArrayGet(p->context, 2 * count, pairs);
}

static MlirBlock body_of(Planner *p) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(p->function, 0));
}

static void allocate_arena(Planner *p, Arena *arena) {
  MlirBlock body = body_of(p);
  int32_t segments[2] = {0, 0};
  MlirNamedAttribute attributes[3] = {
      named(p, "alignment", integer(p, arena->alignment)),
      named(p, "remat.offsets", offsets_attribute(p, arena)),
      named(p, "operandSegmentSizes",
            mlirDenseI32ArrayGet(p->context, 2, segments))};
  MlirType type = arena_type(p, arena);
  MlirOperationState state = mlirOperationStateGet(
      rm_str("memref.alloc"), mlirOperationGetLocation(p->function));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation alloc = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperation(body, 0, alloc);
  arena->value = mlirOperationGetResult(alloc, 0);
  rm_op_insert(mlirBlockGetTerminator(body), "memref.dealloc", 1, &arena->value,
               (MlirType){NULL});
}

static MlirValue constant_index(Planner *p, MlirOperation place,
                                int64_t value) {
  MlirType index = mlirIndexTypeGet(p->context);
  MlirNamedAttribute attribute =
      named(p, "value", mlirIntegerAttrGet(index, value));
  MlirOperationState state = mlirOperationStateGet(
      rm_str("arith.constant"), mlirOperationGetLocation(place));
  mlirOperationStateAddAttributes(&state, 1, &attribute);
  mlirOperationStateAddResults(&state, 1, &index);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place, op);
  return mlirOperationGetResult(op, 0);
}

static void view_instead(Planner *p, const Arena *arena, int32_t i) {
  MlirOperation op = p->lives.allocations.items[arena->members.items[i]].op;
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirValue operands[2] = {arena->value,
                           constant_index(p, op, arena->placement.offsets[i])};
  MlirOperation view =
      rm_op_insert(op, "memref.view", 2, operands, mlirValueGetType(old));
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(view, 0));
  mlirOperationDestroy(op);
}

/*===-- An arena that the caller lends ------------------------------------===*/

static void append_argument_attributes(Planner *p, intptr_t inputs,
                                       const Arena *arena) {
  MlirStringRef name = rm_str("arg_attrs");
  MlirAttribute old = mlirOperationGetAttributeByName(p->function, name);
  MlirAttribute *all = RM_NEW_ARRAY(p->pool, MlirAttribute, inputs + 1);
  for (intptr_t i = 0; i < inputs; ++i)
    all[i] = mlirAttributeIsNull(old)
                 ? mlirDictionaryAttrGet(p->context, 0, NULL)
                 : mlirArrayAttrGetElement(old, i);
  MlirNamedAttribute mine[2] = {
      named(p, "remat.alignment", integer(p, arena->alignment)),
      named(p, "remat.offsets", offsets_attribute(p, arena))};
  all[inputs] = mlirDictionaryAttrGet(p->context, 2, mine);
  mlirOperationSetAttributeByName(
      p->function, name, mlirArrayAttrGet(p->context, inputs + 1, all));
}

static void append_argument(Planner *p, Arena *arena) {
  MlirType old = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(p->function, rm_str("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t results = mlirFunctionTypeGetNumResults(old);
  MlirType *types = RM_NEW_ARRAY(p->pool, MlirType, inputs + 1 + results);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  types[inputs] = arena_type(p, arena);
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + 1 + i] = mlirFunctionTypeGetResult(old, i);
  MlirType type = mlirFunctionTypeGet(p->context, inputs + 1, types, results,
                                      types + inputs + 1);
  append_argument_attributes(p, inputs, arena);
  mlirOperationSetAttributeByName(p->function, rm_str("function_type"),
                                  mlirTypeAttrGet(type));
  arena->value = mlirBlockAddArgument(body_of(p), types[inputs],
                                      mlirOperationGetLocation(p->function));
}

static const char *name_of(Planner *p, MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
  return rm_pool_printf(p->pool, "%.*s", (int)name.length, name.data);
}

/* func.func @NAME_arena_bytes() -> i64, right behind the function. */
static void add_size_query(Planner *p, int64_t bytes, int32_t number) {
  MlirLocation loc = mlirOperationGetLocation(p->function);
  MlirType i64 = mlirIntegerTypeGet(p->context, 64);
  const char *name = rm_pool_printf(
      p->pool, number ? "%s_arena_bytes_%" PRId32 : "%s_arena_bytes",
      name_of(p, p->function), number);
  MlirNamedAttribute attributes[2] = {
      named(p, "sym_name", mlirStringAttrGet(p->context, rm_str(name))),
      named(
          p, "function_type",
          mlirTypeAttrGet(mlirFunctionTypeGet(p->context, 0, NULL, 1, &i64)))};
  MlirRegion region = mlirRegionCreate();
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  MlirOperationState state = mlirOperationStateGet(rm_str("func.func"), loc);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation query = mlirOperationCreate(&state);
  MlirNamedAttribute value = named(p, "value", integer(p, bytes));
  MlirOperationState constant =
      mlirOperationStateGet(rm_str("arith.constant"), loc);
  mlirOperationStateAddAttributes(&constant, 1, &value);
  mlirOperationStateAddResults(&constant, 1, &i64);
  MlirOperation op = mlirOperationCreate(&constant);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirOperationState ret = mlirOperationStateGet(rm_str("func.return"), loc);
  mlirOperationStateAddOperands(&ret, 1, &result);
  mlirBlockAppendOwnedOperation(block, op);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&ret));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(p->function),
                                     p->function, query);
}

static void borrow_arena(Planner *p, Arena *arena, int32_t number) {
  append_argument(p, arena);
  add_size_query(p, arena->bytes, number);
  if (!number)
    mlirOperationSetDiscardableAttributeByName(
        p->function, rm_str("remat.arena_bytes"), integer(p, arena->bytes));
}

/*===-- Planning ----------------------------------------------------------===*/

static Arena *arena_of_space(Planner *p, Arena *arenas, int32_t *count,
                             MlirAttribute space) {
  for (int32_t i = 0; i < *count; ++i)
    if (mlirAttributeEqual(arenas[i].space, space))
      return &arenas[i];
  arenas[*count] = (Arena){.space = space, .alignment = p->alignment};
  return &arenas[(*count)++];
}

/* `arenas` has room for one of each allocation. */
static int32_t sort_into_arenas(Planner *p, Arena *arenas) {
  int32_t count = 0;
  for (size_t i = 0; i < p->lives.allocations.count; ++i) {
    RmAllocation *a = &p->lives.allocations.items[i];
    if (a->left)
      continue;
    Arena *arena = arena_of_space(p, arenas, &count, a->space);
    if (a->alignment < p->alignment)
      a->alignment = p->alignment;
    if (a->alignment > arena->alignment)
      arena->alignment = a->alignment;
    rm_vec_push(p->pool, &arena->members, (int32_t)i);
  }
  return count;
}

static bool place(Planner *p, Arena *arena) {
  int32_t count = (int32_t)arena->members.count;
  arena->buffers = RM_NEW_ARRAY(p->pool, RmBuffer, count);
  for (int32_t i = 0; i < count; ++i) {
    const RmAllocation *a =
        &p->lives.allocations.items[arena->members.items[i]];
    arena->buffers[i] =
        (RmBuffer){a->lower, a->upper, a->bytes, a->alignment, -1};
  }
  RmMemoryProblem problem = {.buffers = arena->buffers, .count = count};
  arena->placement = rm_memory_place(&problem, p->effort, p->pool);
  arena->bytes =
      (arena->placement.arena + arena->alignment - 1) & -arena->alignment;
  const char *wrong = rm_memory_check(&problem, &arena->placement, p->pool);
  if (wrong)
    rm_emit(RM_ERROR, mlirOperationGetLocation(p->function),
            "remat-plan-memory: wrong placement: %s", wrong);
  return !wrong;
}

static void count_arena(Planner *p, const Arena *arena) {
  int64_t bytes = 0;
  for (size_t i = 0; i < arena->members.count; ++i)
    bytes += arena->buffers[i].size;
  rm_statistic_add(p->run, "planned", (int64_t)arena->members.count);
  rm_statistic_add(p->run, "buffer-bytes", bytes);
  rm_statistic_add(p->run, "arena-bytes", arena->bytes);
  rm_statistic_add(p->run, "bound-bytes", arena->placement.lower_bound);
}

/* The lives in MiniMalloc's format, with the offsets we chose. */
static bool write_lives(Planner *p, const Arena *arenas, int32_t count) {
  const char *path = rm_option_string(p->run, "lives-out");
  FILE *file = *path ? fopen(path, p->wrote_lives ? "a" : "w") : NULL;
  if (*path && !file) {
    rm_emit(RM_ERROR, mlirOperationGetLocation(p->function),
            "remat-plan-memory: cannot write lives-out file %s", path);
    return false;
  }
  if (!file)
    return true;
  if (!p->wrote_lives)
    fputs("id,lower,upper,size,alignment,offset\n", file);
  p->wrote_lives = true;
  for (int32_t k = 0; k < count; ++k)
    for (size_t i = 0; i < arenas[k].members.count; ++i) {
      const RmBuffer *b = &arenas[k].buffers[i];
      fprintf(file,
              "%s/%" PRId32 "/%zu,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
              ",%" PRId64 "\n",
              name_of(p, p->function), k, i, b->lower, b->upper, b->size,
              b->alignment, arenas[k].placement.offsets[i]);
    }
  return !fclose(file);
}

static void rewrite(Planner *p, Arena *arenas, int32_t count) {
  for (int32_t k = 0; k < count; ++k) {
    Arena *arena = &arenas[k];
    if (p->lent)
      borrow_arena(p, arena, k);
    else
      allocate_arena(p, arena);
    for (size_t i = 0; i < arena->members.count; ++i)
      view_instead(p, arena, (int32_t)i);
    count_arena(p, arena);
  }
  p->changed |= count > 0;
}

static void erase_frees(Planner *p) {
  for (size_t i = 0; i < p->lives.frees.count; ++i)
    mlirOperationDestroy(p->lives.frees.items[i]);
  rm_statistic_add(p->run, "deallocs", (int64_t)p->lives.frees.count);
}

static void tell_what_is_left(Planner *p) {
  enum { MOST = 20 };
  RmDiagnostic *remark = NULL;
  int64_t left = 0;
  for (size_t i = 0; i < p->lives.allocations.count; ++i)
    left += p->lives.allocations.items[i].left != NULL;
  rm_statistic_add(p->run, "left", left);
  for (size_t i = 0, told = 0; i < p->lives.allocations.count; ++i) {
    const RmAllocation *a = &p->lives.allocations.items[i];
    if (!a->left || told++ == MOST)
      continue;
    if (!remark)
      remark = rm_diagnostic_begin(
          RM_REMARK, mlirOperationGetLocation(p->function),
          rm_pool_printf(p->pool,
                         "remat-plan-memory: %" PRId64 " of %zu buffers of @%s "
                         "stay allocated",
                         left, p->lives.allocations.count,
                         name_of(p, p->function)));
    rm_diagnostic_note(remark, mlirOperationGetLocation(a->op),
                       rm_pool_printf(p->pool, "this one: %s", a->left));
  }
  if (remark)
    rm_diagnostic_end(remark);
}

/* Copies of a buffer onto itself. */
static MlirWalkResult erase_self_copy(MlirOperation op, void *user) {
  Planner *p = user;
  if (!rm_op_is(op, "memref.copy") ||
      !mlirValueEqual(mlirOperationGetOperand(op, 0),
                      mlirOperationGetOperand(op, 1)))
    return MlirWalkResultAdvance;
  mlirOperationDestroy(op);
  rm_statistic_add(p->run, "copies", 1);
  p->changed = true;
  return MlirWalkResultAdvance;
}

static bool plan_function(Planner *p) {
  mlirOperationWalk(p->function, erase_self_copy, p, MlirWalkPostOrder);
  p->lives = rm_memory_lives(p->function, p->functions, &p->uses, p->pool);
  Arena *arenas = RM_NEW_ARRAY(p->pool, Arena, p->lives.allocations.count + 1);
  int32_t count = sort_into_arenas(p, arenas);
  for (int32_t k = 0; k < count; ++k)
    if (!place(p, &arenas[k]))
      return false;
  if (!write_lives(p, arenas, count))
    return false;
  tell_what_is_left(p);
  erase_frees(p);
  rewrite(p, arenas, count);
  return true;
}

/*===-- The pass ----------------------------------------------------------===*/

/* A function that the module refers to must keep its type. */
static bool may_lend(Planner *p) {
  if (!rm_is_referred_to(&p->referred, p->function))
    return true;
  rm_emit(RM_REMARK, mlirOperationGetLocation(p->function),
          "remat-plan-memory: @%s is called in this module, so it allocates "
          "its arena itself",
          name_of(p, p->function));
  return false;
}

static bool plan_functions(Planner *p, bool lent) {
  MlirBlock body =
      mlirRegionGetFirstBlock(mlirOperationGetRegion(p->module, 0));
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!rm_is_function_with_body(op))
      continue;
    p->function = op;
    p->pool = rm_pool_create_or_abort();
    p->lent = lent && may_lend(p);
    bool planned = plan_function(p);
    rm_pool_destroy(p->pool);
    if (!planned)
      return false;
  }
  return true;
}

static bool options_are_right(Planner *p) {
  MlirLocation loc = mlirOperationGetLocation(p->module);
  if (p->alignment < 1 || (p->alignment & (p->alignment - 1)))
    rm_emit(RM_ERROR, loc,
            "remat-plan-memory: alignment is %" PRId64
            ", it must be a power of two",
            p->alignment);
  else if (p->effort < 0 || p->effort > 3)
    rm_emit(RM_ERROR, loc, "remat-plan-memory: effort is %d, it must be 0 to 3",
            p->effort);
  else
    return true;
  return false;
}

bool rm_pass_plan_memory(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  Planner p = {.run = run,
               .context = mlirOperationGetContext(module),
               .module = module,
               .uses = rm_memory_uses_create(pool),
               .alignment = rm_option_size(run, "alignment"),
               .effort = (int)rm_option_int(run, "effort")};
  bool lent = rm_option_choice(run, "arena") == 1;
  bool done = options_are_right(&p);
  if (done) {
    p.functions = mlirSymbolTableCreate(module);
    if (lent)
      p.referred = rm_references(module, pool);
    done = plan_functions(&p, lent);
    mlirSymbolTableDestroy(p.functions);
  }
  if (!p.changed)
    rm_pass_unchanged(run);
  rm_pool_destroy(pool);
  return done;
}
