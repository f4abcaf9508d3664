// lib/dialect/attributes.cpp - our attributes on other dialects' ops.
//
// Each attribute has a row: its name, and what must hold for the op and the
// value. An attribute of ours that has no row is a misspelling and is refused.
#include "dialect/dialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace remat;

// What is wrong, after "attribute 'remat.x' ", or "".
using Check = std::string (*)(Operation *op, Attribute value);

static bool isInteger64(Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getType().isSignlessInteger(64);
}

static std::string checkAmount(Operation *, Attribute value) {
  if (!isInteger64(value) || cast<IntegerAttr>(value).getInt() < 0)
    return "must be an i64 that is not negative";
  return "";
}

static std::string checkRecomputable(Operation *, Attribute value) {
  return isa<BoolAttr, UnitAttr>(value) ? "" : "must be true or false";
}

static double getNumber(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValueAsDouble();
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer ? integer.getValue().signedRoundToDouble() : -1.0;
}

// What lib/model/model.h says of the keys; others are for other readers.
static std::string checkTarget(Operation *op, Attribute value) {
  if (!isa<ModuleOp>(op))
    return "belongs on a module";
  auto target = dyn_cast<DictionaryAttr>(value);
  if (!target)
    return "must be a dictionary";
  for (StringRef key : {"f64", "f32", "f16", "int", "bandwidth"})
    if (Attribute rate = target.get(key); rate && !(getNumber(rate) > 0))
      return "has '" + key.str() + "', which must be a number above 0";
  Attribute launch = target.get("launch");
  if (launch && !(isa<IntegerAttr>(launch) && getNumber(launch) >= 0))
    return "has 'launch', which must be an integer from 0";
  return "";
}

static std::string checkFunctionFacts(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface>(op))
    return "belongs on a function";
  return isa<DictionaryAttr>(value) ? "" : "must be a dictionary";
}

static std::string checkKernel(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface>(op))
    return "belongs on a function";
  return isa<UnitAttr>(value) ? "" : "has no value";
}

static bool isNumberBelow(Attribute value, unsigned limit) {
  return isInteger64(value) && cast<IntegerAttr>(value).getValue().ult(limit);
}

static std::string checkAlias(Operation *op, Attribute value) {
  auto pairs = dyn_cast<ArrayAttr>(value);
  if (!pairs)
    return "must be an array of pairs [result, operand]";
  for (Attribute item : pairs) {
    auto pair = dyn_cast<ArrayAttr>(item);
    if (!pair || pair.size() != 2)
      return "must be an array of pairs [result, operand]";
    if (!isNumberBelow(pair[0], op->getNumResults()))
      return "names a result that the op does not have";
    if (!isNumberBelow(pair[1], op->getNumOperands()))
      return "names an operand that the op does not have";
  }
  return "";
}

static std::string checkOffsetPairs(Attribute value) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(value);
  if (!numbers || numbers.size() % 2)
    return "must be an array<i64> of offset and bytes of each buffer";
  for (int64_t number : numbers.asArrayRef())
    if (number < 0)
      return "must not hold negative numbers";
  return "";
}

static std::string checkOffsets(Operation *op, Attribute value) {
  auto isMemRef = [](Type type) { return isa<BaseMemRefType>(type); };
  if (!llvm::any_of(op->getResultTypes(), isMemRef))
    return "belongs on an op that makes a memref";
  return checkOffsetPairs(value);
}

static std::string checkArenaBytes(Operation *op, Attribute value) {
  if (!isa<FunctionOpInterface>(op))
    return "belongs on a function";
  return checkAmount(op, value);
}

static constexpr struct {
  StringLiteral name;
  Check check;
} attributes[] = {
    {"remat.alias", checkAlias},
    {"remat.arena_bytes", checkArenaBytes},
    {"remat.cost", checkAmount},
    {"remat.entry", checkFunctionFacts},
    {"remat.kernel", checkKernel},
    {"remat.offsets", checkOffsets},
    {"remat.plan", checkFunctionFacts},
    {"remat.recomputable", checkRecomputable},
    {"remat.target", checkTarget},
    {"remat.workspace", checkAmount},
};

LogicalResult RematDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  for (const auto &known : attributes) {
    if (known.name != attribute.getName())
      continue;
    std::string wrong = known.check(op, attribute.getValue());
    if (wrong.empty())
      return success();
    return op->emitOpError("attribute '") << known.name << "' " << wrong;
  }
  InFlightDiagnostic error = op->emitOpError("attribute '")
                             << attribute.getName().getValue()
                             << "' is unknown; known are";
  for (const auto &known : attributes)
    error << " " << known.name;
  return error;
}

// An arena that the caller gives is an argument and carries its offsets.
LogicalResult RematDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned region,
                                                     unsigned argument,
                                                     NamedAttribute attribute) {
  StringRef name = attribute.getName();
  std::string wrong;
  if (name == "remat.offsets")
    wrong = checkOffsetPairs(attribute.getValue());
  else if (name == "remat.alignment")
    wrong = checkAmount(op, attribute.getValue());
  else
    return op->emitOpError("argument #")
           << argument << " cannot have attribute '" << name << "'";
  if (!wrong.empty())
    return op->emitOpError("argument #")
           << argument << ": attribute '" << name << "' " << wrong;
  return success();
}
