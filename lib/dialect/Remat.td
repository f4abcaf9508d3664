// lib/dialect/Remat.td - the dialect: two identities on values.

#ifndef REMAT_DIALECT_REMAT_TD
#define REMAT_DIALECT_REMAT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Remat_Dialect : Dialect {
  let name = "remat";
  let cppNamespace = "::remat";
  let summary = "What to keep, what to compute again, and when.";
}

class Remat_Op<string mnemonic, list<Trait> traits = []>
    : Op<Remat_Dialect, mnemonic, traits>;

def Remat_Policy : StringBasedAttr<
    CPred<"::remat::isPolicy(::llvm::cast<::mlir::StringAttr>($_self))">,
    "one of save, recompute, offload">;

def Remat_CheckpointOp
    : Remat_Op<"checkpoint", [Pure, SameOperandsAndResultType]> {
  let summary = "A value that is kept on purpose.";
  let arguments = (ins AnyType:$value, OptionalAttr<StrAttr>:$named,
                       OptionalAttr<Remat_Policy>:$policy);
  let results = (outs AnyType:$saved);
  let assemblyFormat = [{
    $value (`named` $named^)? (`policy` custom<Policy>($policy)^)? attr-dict
    `:` type($value)
  }];
}

def Remat_RecomputeOp
    : Remat_Op<"recompute", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "An identity that no pass sees through.";
  let arguments = (ins Variadic<AnyType>:$from, Variadic<AnyType>:$after);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    `from` $from (`after` $after^)? attr-dict
    `:` type($from) (`after` type($after)^)?
  }];
}

#endif
