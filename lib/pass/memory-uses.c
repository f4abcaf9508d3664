/* lib/pass/memory-uses.c - what an op does with the memrefs it is given.
 *
 * A table of names, then of dialects whose other ops only touch memory while
 * they run. Whatever is in neither may keep a memref for longer than we can
 * see, so what it is given is not planned: asynchronous copies, pointers turned
 * into numbers, ops of dialects we do not know.
 *
 * Invariant: an op that is said to touch holds no memref when it is done. */

#include "pass/memory-uses.h"

#include "pass/ops.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static const struct Known {
  const char *name;
  RmMemoryUse use;
} known[] = {
    {"memref.alloc", RM_USE_ALLOCATES},
    {"memref.alloca", RM_USE_ALLOCATES},
    {"memref.dealloc", RM_USE_FREES},
    {"memref.copy", RM_USE_COPIES},
    {"memref.subview", RM_USE_VIEWS},
    {"memref.cast", RM_USE_VIEWS},
    {"memref.collapse_shape", RM_USE_VIEWS},
    {"memref.expand_shape", RM_USE_VIEWS},
    {"memref.reinterpret_cast", RM_USE_VIEWS},
    {"memref.view", RM_USE_VIEWS},
    {"memref.transpose", RM_USE_VIEWS},
    {"memref.memory_space_cast", RM_USE_VIEWS},
    {"memref.extract_strided_metadata", RM_USE_VIEWS},
    {"memref.assume_alignment", RM_USE_VIEWS},
    {"memref.dim", RM_USE_VIEWS},
    {"arith.select", RM_USE_VIEWS},
    {"scf.for", RM_USE_LOOPS},
    {"affine.for", RM_USE_LOOPS},
    {"scf.while", RM_USE_LOOPS_ON},
    {"scf.if", RM_USE_BRANCHES},
    {"affine.if", RM_USE_BRANCHES},
    {"scf.index_switch", RM_USE_BRANCHES},
    {"scf.execute_region", RM_USE_BRANCHES},
    {"memref.alloca_scope", RM_USE_BRANCHES},
    {"scf.parallel", RM_USE_SPREADS},
    {"scf.forall", RM_USE_SPREADS},
    {"affine.parallel", RM_USE_SPREADS},
    {"scf.yield", RM_USE_YIELDS},
    {"affine.yield", RM_USE_YIELDS},
    {"scf.condition", RM_USE_YIELDS},
    {"memref.alloca_scope.return", RM_USE_YIELDS},
    {"cf.br", RM_USE_YIELDS},
    {"cf.cond_br", RM_USE_YIELDS},
    {"cf.switch", RM_USE_YIELDS},
    {"func.call", RM_USE_CALLS},
    {"memref.extract_aligned_pointer_as_index", RM_USE_KEEPS},
    {"memref.realloc", RM_USE_KEEPS},
    {"memref.dma_start", RM_USE_KEEPS},
    {"memref.dma_wait", RM_USE_KEEPS},
    {"affine.dma_start", RM_USE_KEEPS},
    {"affine.dma_wait", RM_USE_KEEPS},
};

static const char *const touching_dialects[] = {
    "memref.", "linalg.", "vector.", "affine.", "scf.", "arith.", "math."};

RmMemoryUses rm_memory_uses_create(RmPool *pool) {
  return (RmMemoryUses){rm_map_create(pool)};
}

bool rm_type_is_memref(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

static RmMemoryUse look_up(MlirOperation op) {
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (rm_op_is(op, known[i].name))
      return known[i].use;
  for (size_t i = 0; i < sizeof touching_dialects / sizeof *touching_dialects;
       ++i)
    if (rm_op_name_begins(op, touching_dialects[i]))
      return RM_USE_TOUCHES;
  return RM_USE_KEEPS;
}

static bool makes_memrefs(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (rm_type_is_memref(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool stores_a_memref(MlirOperation op) {
  return rm_op_is(op, "memref.store") &&
         rm_type_is_memref(mlirValueGetType(mlirOperationGetOperand(op, 0)));
}

RmMemoryUse rm_memory_use(RmMemoryUses *uses, MlirOperation op) {
  uint64_t name = rm_map_pointer(mlirOperationGetName(op).ptr);
  int64_t use;
  if (!rm_map_get(&uses->by_name, name, &use)) {
    use = look_up(op);
    rm_map_set(&uses->by_name, name, use);
  }
  if (use == RM_USE_TOUCHES && (makes_memrefs(op) || stores_a_memref(op)))
    return RM_USE_KEEPS;
  return (RmMemoryUse)use;
}

/*===-- Views and bodies --------------------------------------------------===*/

bool rm_memory_is_view(RmMemoryUses *uses, MlirOperation op) {
  return !mlirOperationIsNull(op) && !rm_op_is(op, "arith.select") &&
         rm_memory_use(uses, op) == RM_USE_VIEWS;
}

MlirValue rm_memory_base(RmMemoryUses *uses, MlirValue value) {
  for (MlirOperation op = rm_defining_op(value); rm_memory_is_view(uses, op);
       op = rm_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  return value;
}

bool rm_memory_is_argument(MlirValue value) {
  if (!mlirValueIsABlockArgument(value))
    return false;
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  return rm_op_is(mlirBlockGetParentOperation(block), "func.func") &&
         mlirBlockEqual(
             block, mlirRegionGetFirstBlock(mlirBlockGetParentRegion(block)));
}

static MlirWalkResult find_memref(MlirOperation op, void *user) {
  bool *found = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    *found |=
        rm_type_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool rm_memory_body_uses(MlirOperation op) {
  bool found = false;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner) && !found;
           inner = mlirOperationGetNextInBlock(inner))
        mlirOperationWalk(inner, find_memref, &found, MlirWalkPreOrder);
  return found;
}

/*===-- Calls -------------------------------------------------------------===*/

MlirOperation rm_callee_of(MlirOperation call, MlirSymbolTable functions) {
  MlirOperation none = {NULL};
  MlirAttribute callee =
      mlirOperationGetAttributeByName(call, rm_str("callee"));
  if (mlirSymbolTableIsNull(functions) || mlirAttributeIsNull(callee) ||
      !mlirAttributeIsAFlatSymbolRef(callee))
    return none;
  MlirOperation function =
      mlirSymbolTableLookup(functions, mlirFlatSymbolRefAttrGetValue(callee));
  return mlirOperationIsNull(function) || !rm_is_function_with_body(function)
             ? none
             : function;
}

typedef struct Inspection {
  RmMemoryUses *uses;
  MlirSymbolTable functions;
  bool borrows;
} Inspection;

static bool takes_memrefs(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (rm_type_is_memref(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

static bool frees_its_own(MlirOperation op) {
  return rm_op_is(rm_defining_op(mlirOperationGetOperand(op, 0)),
                  "memref.alloc");
}

static MlirWalkResult inspect(MlirOperation op, void *user) {
  Inspection *i = user;
  if (!takes_memrefs(op))
    return MlirWalkResultAdvance;
  RmMemoryUse use = rm_memory_use(i->uses, op);
  if (use == RM_USE_CALLS) {
    MlirOperation callee = rm_callee_of(op, i->functions);
    i->borrows &= !makes_memrefs(op) && !mlirOperationIsNull(callee) &&
                  rm_function_borrows(i->uses, i->functions, callee);
  } else {
    i->borrows &=
        use != RM_USE_KEEPS && (use != RM_USE_FREES || frees_its_own(op));
  }
  return i->borrows ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/* A function on a cycle of calls is taken to keep what it is given. Answers
 * stand in the same map as those of names: both keys are addresses. */
bool rm_function_borrows(RmMemoryUses *uses, MlirSymbolTable functions,
                         MlirOperation function) {
  uint64_t key = rm_map_pointer(function.ptr);
  int64_t known_answer;
  if (rm_map_get(&uses->by_name, key, &known_answer))
    return known_answer;
  rm_map_set(&uses->by_name, key, false);
  Inspection i = {uses, functions, true};
  mlirOperationWalk(function, inspect, &i, MlirWalkPreOrder);
  rm_map_set(&uses->by_name, key, i.borrows);
  return i.borrows;
}
