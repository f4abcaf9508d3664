// lib/dialect/dialect.cpp - the dialect and its ops: assembly, types, folding,
// verification. Attributes on other dialects' ops are in attributes.cpp.
#include "dialect/dialect.h"
#include "remat/dialect.h"

#include "mlir/CAPI/Registration.h"

using namespace mlir;
using namespace remat;

#include "RematDialect.cpp.inc"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Remat, remat, RematDialect)

/*===-- remat.checkpoint --------------------------------------------------===*/

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

void CheckpointOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getSaved(), "saved");
}

static bool saysNothing(CheckpointOp op) {
  return !op.getNamedAttr() && !op.getPolicyAttr();
}

OpFoldResult CheckpointOp::fold(FoldAdaptor) {
  if (saysNothing(*this) && getValue().getDefiningOp<CheckpointOp>())
    return getValue();
  return {};
}

LogicalResult CheckpointOp::canonicalize(CheckpointOp op,
                                         PatternRewriter &rewriter) {
  if (!saysNothing(op) ||
      llvm::any_of(op->getUsers(), llvm::IsaPred<RecomputeOp>))
    return failure();
  rewriter.replaceOp(op, op.getValue());
  return success();
}

// Whether `op` says of itself that it must not run twice. What other ops do, of
// dialects that are not registered above all, is for the planner's tables to
// say: it refuses a policy that it cannot follow, with the reason.
static const char *whyNotAgain(Operation *op) {
  if (auto recomputable = op->getAttrOfType<BoolAttr>("remat.recomputable"))
    return recomputable.getValue() ? nullptr : "is marked as not recomputable";
  auto effects = getEffectsRecursively(op);
  auto changesMemory = [](const MemoryEffects::EffectInstance &effect) {
    return !isa<MemoryEffects::Read, MemoryEffects::Allocate>(
        effect.getEffect());
  };
  if (effects && llvm::any_of(*effects, changesMemory))
    return "changes memory";
  return nullptr;
}

LogicalResult CheckpointOp::verify() {
  Operation *source = getValue().getDefiningOp();
  if (getPolicy() != "recompute" || !source)
    return success();
  const char *reason = whyNotAgain(source);
  if (!reason)
    return success();
  InFlightDiagnostic error = emitOpError("has policy recompute, but ")
                             << source->getName() << " " << reason
                             << "; use policy save";
  error.attachNote(source->getLoc()) << "the value is computed here";
  return error;
}

/*===-- remat.recompute ---------------------------------------------------===*/

// Each result is a group of its own, so that it prints under its own name.
void RecomputeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  size_t from = getFrom().size();
  for (auto [i, value] : llvm::enumerate(getValues()))
    setName(value, i < from ? "again" : "after");
}

LogicalResult RecomputeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location>,
                                            ValueRange operands, DictionaryAttr,
                                            OpaqueProperties, RegionRange,
                                            SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult RecomputeOp::canonicalize(RecomputeOp op,
                                        PatternRewriter &rewriter) {
  size_t count = op.getFrom().size();
  auto isRead = [&](size_t i) { return !op.getResult(i).use_empty(); };
  SmallVector<Value> from;
  for (size_t i = 0; i < count; ++i)
    if (isRead(i))
      from.push_back(op.getFrom()[i]);
  if (from.size() == count)
    return failure();
  SmallVector<Value> values(op.getOperands());
  if (!from.empty()) {
    auto fewer =
        RecomputeOp::create(rewriter, op.getLoc(), from, op.getAfter());
    auto result = fewer.getValues().begin();
    for (size_t i = 0; i < values.size(); ++i)
      if (i >= count || isRead(i))
        values[i] = *result++;
  }
  rewriter.replaceOp(op, values);
  return success();
}

LogicalResult RecomputeOp::verify() {
  if (getFrom().empty())
    return emitOpError("needs at least one value to recompute from");
  if (getNumResults() != getNumOperands())
    return emitOpError("has ")
           << getNumOperands() << " operands, so it must have as many results, "
           << "not " << getNumResults();
  for (auto [i, operand, result] :
       llvm::enumerate(getOperandTypes(), getResultTypes()))
    if (operand != result)
      return emitOpError("result #") << i << " must be of its operand's type "
                                     << operand << ", not " << result;
  return success();
}

#define GET_OP_CLASSES
#include "RematOps.cpp.inc"

void RematDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "RematOps.cpp.inc"
      >();
  attachBufferization(getContext());
}
