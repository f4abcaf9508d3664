// lib/dialect/dialect.cpp - the dialect's ops: assembly, types.
#include "dialect/dialect.h"

using namespace mlir;
using namespace remat;

#include "RematDialect.cpp.inc"

bool remat::isPolicy(StringAttr policy) {
  StringRef word = policy.getValue();
  return word == "save" || word == "recompute" || word == "offload";
}

static ParseResult parsePolicy(OpAsmParser &parser, StringAttr &policy) {
  SMLoc where = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  policy = parser.getBuilder().getStringAttr(word);
  if (!isPolicy(policy))
    return parser.emitError(where, "policy is save, recompute or offload");
  return success();
}

static void printPolicy(OpAsmPrinter &printer, Operation *, StringAttr policy) {
  printer << policy.getValue();
}

LogicalResult RecomputeOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands, DictionaryAttr,
    OpaqueProperties, RegionRange, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

#define GET_OP_CLASSES
#include "RematOps.cpp.inc"

void RematDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "RematOps.cpp.inc"
      >();
}
