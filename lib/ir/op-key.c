/* lib/ir/op-key.c - ops that compute the same have the same key.
 *
 * What a region defines is numbered in the order in which it stands, from one
 * on for each op, so that two ops with equal regions agree. */
#include "ir/op-key.h"
#include "shim/shim.h"

typedef struct Walk {
  RmNumberOf number_of;
  void *context;
  RmMap *own;
  int64_t defined; /* values and blocks inside the op so far */
  uint64_t key;
} Walk;

uint64_t rm_key_mix(uint64_t key, uint64_t number) {
  key = (key ^ number) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}

static void add(Walk *walk, uint64_t number) {
  walk->key = rm_key_mix(walk->key, number);
}

static void define(Walk *walk, const void *thing) {
  rm_map_set(walk->own, rm_map_pointer(thing), ++walk->defined);
}

static void add_operand(Walk *walk, MlirOperation op, intptr_t i) {
  MlirValue value = mlirOperationGetOperand(op, i);
  int64_t own;
  if (rm_map_get(walk->own, rm_map_pointer(value.ptr), &own))
    add(walk, (uint64_t)own);
  else
    add(walk, walk->number_of(walk->context, op, i, value));
}

static void add_operands(Walk *walk, MlirOperation op) {
  intptr_t count = mlirOperationGetNumOperands(op);
  add(walk, (uint64_t)count);
  for (intptr_t i = 0; i < count; ++i)
    add_operand(walk, op, i);
}

static void add_successors(Walk *walk, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op); ++i) {
    const void *block = mlirOperationGetSuccessor(op, i).ptr;
    add(walk, (uint64_t)rm_map_or(walk->own, rm_map_pointer(block), 0));
  }
}

static void add_region(Walk *walk, MlirRegion region);

static void add_op(Walk *walk, MlirOperation op) {
  add(walk, rm_op_hash(op));
  add_operands(walk, op);
  add_successors(walk, op);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    add_region(walk, mlirOperationGetRegion(op, i));
}

static void define_blocks(Walk *walk, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    define(walk, block.ptr);
    intptr_t count = mlirBlockGetNumArguments(block);
    add(walk, (uint64_t)count);
    for (intptr_t i = 0; i < count; ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      define(walk, argument.ptr);
      add(walk, rm_map_pointer(mlirValueGetType(argument).ptr));
    }
  }
}

static void add_region(Walk *walk, MlirRegion region) {
  define_blocks(walk, region);
  for (MlirBlock block = mlirRegionGetFirstBlock(region);
       !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      add_op(walk, op);
      for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
        define(walk, mlirOperationGetResult(op, i).ptr);
    }
}

uint64_t rm_op_key(MlirOperation op, RmNumberOf number_of, void *context,
                   RmMap *own) {
  Walk walk = {.number_of = number_of, .context = context, .own = own};
  add_op(&walk, op);
  return walk.key;
}

uint64_t rm_region_key(MlirRegion region, RmNumberOf number_of, void *context,
                       RmMap *own) {
  Walk walk = {.number_of = number_of, .context = context, .own = own};
  add_region(&walk, region);
  return walk.key;
}
