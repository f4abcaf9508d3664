// cmake/trait-check.cpp - does this compiler agree with the one that built
// MLIR?
//
// MLIR tells traits apart by an address, or by a type's name as the compiler
// spells it where the address is not shared. Another family's compiler spells
// it otherwise, and trait queries then silently answer wrong. Here func.return
// must be known as a terminator, asked with hidden symbols as our libraries do.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  mlir::OperationName name("func.return", &context);
  bool isTerminator = name.hasTrait<mlir::OpTrait::IsTerminator>();
  return isTerminator ? 0 : 3;
}
