/* lib/pass/write-arenas.c - arenas and the views of them, in the IR.
 *
 * An arena is one allocation of bytes at the begin of the function, freed where
 * it returns; a lent one is an argument behind the others, beside a function
 * that tells how many bytes it needs, unless all its callers are here. A buffer
 * is a `memref.view` of it at a constant, where its allocation stood. */

#include "pass/memory-layout.h"
#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>

typedef RmMemoryPlanner Planner;

/*===-- Making ops --------------------------------------------------------===*/

static MlirNamedAttribute named(Planner *p, const char *name,
                                MlirAttribute attribute) {
  return mlirNamedAttributeGet(mlirIdentifierGet(p->context, rm_str(name)),
                               attribute);
}

static MlirAttribute integer(Planner *p, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(p->context, 64), value);
}

static MlirType part_type(Planner *p, const RmArena *arena,
                          const RmArenaPart *part) {
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(p->context, 8), 1,
                                     &part->bytes, arena->space);
}

/* Offset and bytes of each buffer in it, in program order. */
static MlirAttribute offsets_attribute(Planner *p, const RmArena *arena,
                                       const RmArenaPart *part) {
  int64_t *pairs = RM_NEW_ARRAY(p->pool, int64_t, 2 * part->count);
  intptr_t length = 0;
  for (size_t i = 0; i < arena->members.count; ++i) {
    if (rm_memory_part_of(arena, (int32_t)i) != part)
      continue;
    pairs[length++] = arena->placement.offsets[i] - part->begin;
    pairs[length++] = arena->buffers[i].size;
  }
  return mlirDenseI64ArrayGet(p->context, length, pairs);
}

static MlirBlock body_of(Planner *p) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(p->function, 0));
}

MlirOperation rm_memory_allocate(Planner *p, const RmArena *arena,
                                 const RmArenaPart *part, MlirOperation place) {
  int32_t segments[2] = {0, 0};
  MlirNamedAttribute attributes[2] = {
      named(p, "alignment", integer(p, arena->alignment)),
      named(p, "operandSegmentSizes",
            mlirDenseI32ArrayGet(p->context, 2, segments))};
  MlirType type = part_type(p, arena, part);
  MlirOperationState state = mlirOperationStateGet(
      rm_str("memref.alloc"), mlirOperationGetLocation(place));
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation alloc = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place,
                                      alloc);
  return alloc;
}

static void allocate_part(Planner *p, const RmArena *arena, RmArenaPart *part) {
  MlirBlock body = body_of(p);
  MlirOperation alloc =
      rm_memory_allocate(p, arena, part, mlirBlockGetFirstOperation(body));
  mlirOperationSetDiscardableAttributeByName(alloc, rm_str("remat.offsets"),
                                             offsets_attribute(p, arena, part));
  part->value = mlirOperationGetResult(alloc, 0);
  for (MlirBlock block = body; !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation end = mlirBlockGetTerminator(block);
    if (rm_op_is(end, "func.return"))
      rm_op_insert(end, "memref.dealloc", 1, &part->value, (MlirType){NULL});
  }
}

static MlirValue constant_index(Planner *p, MlirOperation place,
                                int64_t value) {
  MlirType index = mlirIndexTypeGet(p->context);
  return rm_op_insert_constant(place, mlirIntegerAttrGet(index, value));
}

/*===-- An arena that the caller lends ------------------------------------===*/

static void append_argument_attributes(Planner *p, intptr_t inputs,
                                       const RmArena *arena,
                                       const RmArenaPart *part) {
  MlirStringRef name = rm_str("arg_attrs");
  MlirAttribute old = mlirOperationGetAttributeByName(p->function, name);
  MlirAttribute *all = RM_NEW_ARRAY(p->pool, MlirAttribute, inputs + 1);
  for (intptr_t i = 0; i < inputs; ++i)
    all[i] = mlirAttributeIsNull(old)
                 ? mlirDictionaryAttrGet(p->context, 0, NULL)
                 : mlirArrayAttrGetElement(old, i);
  MlirNamedAttribute mine[2] = {
      named(p, "remat.alignment", integer(p, arena->alignment)),
      named(p, "remat.offsets", offsets_attribute(p, arena, part))};
  all[inputs] = mlirDictionaryAttrGet(p->context, 2, mine);
  mlirOperationSetAttributeByName(
      p->function, name, mlirArrayAttrGet(p->context, inputs + 1, all));
}

static void append_argument(Planner *p, const RmArena *arena,
                            RmArenaPart *part) {
  MlirType old = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(p->function, rm_str("function_type")));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(old);
  intptr_t results = mlirFunctionTypeGetNumResults(old);
  MlirType *types = RM_NEW_ARRAY(p->pool, MlirType, inputs + 1 + results);
  for (intptr_t i = 0; i < inputs; ++i)
    types[i] = mlirFunctionTypeGetInput(old, i);
  types[inputs] = part_type(p, arena, part);
  for (intptr_t i = 0; i < results; ++i)
    types[inputs + 1 + i] = mlirFunctionTypeGetResult(old, i);
  MlirType type = mlirFunctionTypeGet(p->context, inputs + 1, types, results,
                                      types + inputs + 1);
  append_argument_attributes(p, inputs, arena, part);
  mlirOperationSetAttributeByName(p->function, rm_str("function_type"),
                                  mlirTypeAttrGet(type));
  part->value = mlirBlockAddArgument(body_of(p), types[inputs],
                                     mlirOperationGetLocation(p->function));
}

/* func.func @NAME_arena_bytes() -> i64, right behind the function. */
static void add_size_query(Planner *p, int64_t bytes, int32_t number) {
  MlirLocation loc = mlirOperationGetLocation(p->function);
  MlirType i64 = mlirIntegerTypeGet(p->context, 64);
  const char *name = rm_pool_printf(
      p->pool, number ? "%s_arena_bytes_%" PRId32 : "%s_arena_bytes",
      rm_memory_name(p, p->function), number);
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

static void borrow_part(Planner *p, const RmArena *arena, RmArenaPart *part,
                        int32_t number) {
  append_argument(p, arena, part);
  if (p->called) {
    rm_memory_lend_at_calls(p, arena, part);
    return;
  }
  add_size_query(p, part->bytes, number);
  if (!number)
    mlirOperationSetDiscardableAttributeByName(
        p->function, rm_str("remat.arena_bytes"), integer(p, part->bytes));
}

/*===-- Views -------------------------------------------------------------===*/

typedef struct Place {
  const RmArena *arena; /* null: in a result */
  int32_t member;
  MlirValue view; /* the first one made; of a result: all its bytes */
} Place;

/* What stands at `offset` of `bytes`, as the allocation `op` has it. */
static MlirValue view_of_bytes(Planner *p, MlirOperation op, MlirValue bytes,
                               int64_t offset) {
  MlirValue operands[2] = {bytes, constant_index(p, op, offset)};
  MlirOperation view =
      rm_op_insert(op, "memref.view", 2, operands,
                   mlirValueGetType(mlirOperationGetResult(op, 0)));
  return mlirOperationGetResult(view, 0);
}

static MlirValue view_of_arena(Planner *p, const Place *place,
                               MlirOperation op) {
  const RmArenaPart *part = rm_memory_part_of(place->arena, place->member);
  int64_t offset = place->arena->placement.offsets[place->member] - part->begin;
  return view_of_bytes(p, op, part->value, offset);
}

static MlirAttribute sizes_or_strides(Planner *p, MlirType type, bool strides) {
  int64_t rank = mlirShapedTypeGetRank(type), stride = 1;
  int64_t *numbers = RM_NEW_ARRAY(p->pool, int64_t, rank);
  for (int64_t i = rank; i--;) {
    int64_t size = mlirShapedTypeGetDimSize(type, i);
    numbers[i] = strides ? stride : size;
    stride *= size;
  }
  return mlirDenseI64ArrayGet(p->context, rank, numbers);
}

/* `value` from element `offset` on, as `type` has it. */
static MlirValue reinterpret(Planner *p, MlirOperation place, MlirValue value,
                             int64_t offset, MlirType type) {
  int32_t segments[4] = {1, 0, 0, 0};
  MlirNamedAttribute attributes[4] = {
      named(p, "static_offsets", mlirDenseI64ArrayGet(p->context, 1, &offset)),
      named(p, "static_sizes", sizes_or_strides(p, type, false)),
      named(p, "static_strides", sizes_or_strides(p, type, true)),
      named(p, "operandSegmentSizes",
            mlirDenseI32ArrayGet(p->context, 4, segments))};
  MlirOperationState state = mlirOperationStateGet(
      rm_str("memref.reinterpret_cast"), mlirOperationGetLocation(place));
  mlirOperationStateAddAttributes(&state, 4, attributes);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation view = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(place), place,
                                      view);
  return mlirOperationGetResult(view, 0);
}

static MlirType element_of(const RmAllocation *a) {
  return mlirShapedTypeGetElementType(mlirValueGetType(a->value));
}

/* A result as a row of bytes. No op of memref turns elements of one type into
 * others. The cast goes with others on the way to LLVM's dialect, where
 * descriptors of one rank have one type: hence a row first. */
static MlirValue bytes_of_result(Planner *p, const RmAllocation *result) {
  MlirOperation place = mlirBlockGetFirstOperation(body_of(p));
  int64_t count = result->bytes / rm_element_bytes(element_of(result));
  MlirType row =
      mlirMemRefTypeContiguousGet(element_of(result), 1, &count, result->space);
  MlirType bytes = mlirMemRefTypeContiguousGet(
      mlirIntegerTypeGet(p->context, 8), 1, &result->bytes, result->space);
  MlirValue elements = reinterpret(p, place, result->value, 0, row);
  return mlirOperationGetResult(
      rm_op_insert(place, "builtin.unrealized_conversion_cast", 1, &elements,
                   bytes),
      0);
}

/* The type of `a` as a view of `result`, `at` bytes behind its first one; null
 * if a user cannot do with it, or elements are others. */
static MlirType type_in_result(const RmAllocation *a,
                               const RmAllocation *result, int64_t at) {
  MlirType none = {NULL}, type = mlirValueGetType(a->value);
  if (!mlirTypeEqual(element_of(a), element_of(result)))
    return none;
  if (!at)
    return type;
  type = rm_layout_with_offset(type, at / rm_element_bytes(element_of(a)));
  return rm_layout_suits_users(a->value, type) ? type : none;
}

/* `bytes`: of the result, null until somebody needs them. */
static MlirValue view_of_result(Planner *p, const RmAllocation *result,
                                MlirValue *bytes, const RmAllocation *a,
                                int64_t at) {
  MlirType type = type_in_result(a, result, at);
  if (mlirTypeIsNull(type)) {
    if (mlirValueIsNull(*bytes))
      *bytes = bytes_of_result(p, result);
    return view_of_bytes(p, a->op, *bytes, at);
  }
  return mlirTypeEqual(type, mlirValueGetType(result->value))
             ? result->value
             : reinterpret(p, a->op, result->value,
                           at / rm_element_bytes(element_of(a)), type);
}

/* One view serves all of its type in a set where it can be seen, so that an op
 * in place is known to be one. */
static void view_instead(Planner *p, Place *places, int32_t i) {
  MlirOperation op = p->lives.allocations.items[i].op;
  int32_t first = p->shares[i];
  Place *place = &places[first];
  MlirValue view = place->view;
  MlirValue old = mlirOperationGetResult(op, 0);
  bool is_seen = !mlirValueIsNull(view) &&
                 mlirTypeEqual(mlirValueGetType(view), mlirValueGetType(old)) &&
                 !mlirOperationIsNull(rm_ancestor_in(
                     op, mlirOperationGetBlock(mlirOpResultGetOwner(view))));
  if (!is_seen && place->arena) {
    place->view = view = view_of_arena(p, place, op);
  } else if (!is_seen) {
    int32_t result = p->borrowed_from[first];
    view = view_of_result(p, &p->lives.allocations.items[result],
                          &places[result].view, &p->lives.allocations.items[i],
                          p->borrowed_at[first]);
  }
  rm_layout_replace(old, view);
}

static void write_views(Planner *p, const RmArena *arenas, int32_t count) {
  size_t buffers = p->lives.allocations.count;
  Place *places = RM_NEW_ARRAY(p->pool, Place, buffers);
  for (int32_t k = 0; k < count; ++k)
    for (size_t i = 0; i < arenas[k].members.count; ++i)
      places[arenas[k].members.items[i]] =
          (Place){.arena = &arenas[k], .member = (int32_t)i};
  for (size_t i = 0; i < buffers; ++i) {
    RmAllocation *a = &p->lives.allocations.items[i];
    if (a->left || mlirOperationIsNull(a->op))
      continue;
    view_instead(p, places, (int32_t)i);
    mlirOperationDestroy(a->op);
    a->op.ptr = NULL;
  }
}

void rm_memory_write_arenas(Planner *p, RmArena *arenas, int32_t count) {
  int32_t number = 0;
  for (int32_t k = 0; k < count; ++k) {
    RmArena *arena = &arenas[k];
    for (size_t i = 0; i < arena->parts.count; ++i)
      if (p->lent || p->called)
        borrow_part(p, arena, &arena->parts.items[i], number++);
      else
        allocate_part(p, arena, &arena->parts.items[i]);
  }
  write_views(p, arenas, count);
}
