// lib/shim/queries.cpp - what registered ops say of themselves.
#include "shim/shim.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

unsigned rm_op_effects(MlirOperation op) {
  auto effects = getEffectsRecursively(unwrap(op));
  if (!effects)
    return RM_EFFECT_UNKNOWN;
  unsigned found = RM_EFFECT_NONE;
  for (const MemoryEffects::EffectInstance &effect : *effects) {
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      found |= RM_EFFECT_READ;
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      found |= RM_EFFECT_WRITE;
    else if (isa<MemoryEffects::Allocate>(effect.getEffect()))
      found |= RM_EFFECT_ALLOCATE;
    else
      found |= RM_EFFECT_FREE;
  }
  return found;
}

bool rm_op_is_speculatable(MlirOperation op) {
  return isSpeculatable(unwrap(op));
}

bool rm_op_is_registered(MlirOperation op) {
  return unwrap(op)->isRegistered();
}

uint64_t rm_op_hash(MlirOperation op) {
  return OperationEquivalence::computeHash(
      unwrap(op), OperationEquivalence::ignoreHashValue,
      OperationEquivalence::ignoreHashValue,
      OperationEquivalence::IgnoreLocations);
}

bool rm_op_is_view_like(MlirOperation op) {
  return isa<ViewLikeOpInterface>(unwrap(op));
}

bool rm_op_is_terminator(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsTerminator>();
}

bool rm_op_is_bufferizable(MlirOperation op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  Operation *it = unwrap(op);
  return isa<bufferization::BufferizableOpInterface>(it) ||
         (it->isRegistered() &&
          llvm::none_of(it->getOperandTypes(), isTensor) &&
          llvm::none_of(it->getResultTypes(), isTensor));
}

int rm_op_num_inits(MlirOperation op) {
  auto style = dyn_cast<DestinationStyleOpInterface>(unwrap(op));
  return style ? (int)style.getNumDpsInits() : 0;
}

int rm_op_init(MlirOperation op, int i) {
  auto style = cast<DestinationStyleOpInterface>(unwrap(op));
  return (int)style.getDpsInitOperand(i)->getOperandNumber();
}
