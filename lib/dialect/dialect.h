// lib/dialect/dialect.h - the dialect's C++ classes.
#ifndef REMAT_DIALECT_DIALECT_H
#define REMAT_DIALECT_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace remat {

// Whether `policy` is one that remat.checkpoint knows.
bool isPolicy(mlir::StringAttr policy);

// Attaches our ops' models of bufferization; part of loading the dialect, so
// that no user can forget it.
void attachBufferization(mlir::MLIRContext *context);

} // namespace remat

#include "RematDialect.h.inc"

#define GET_OP_CLASSES
#include "RematOps.h.inc"

#endif
