// lib/dialect/Remat.td - the dialect: two identities on values.
//
// No op has a region, so passes that do not know us keep working. The reference
// page docs/dialect.md is generated from here.

#ifndef REMAT_DIALECT_REMAT_TD
#define REMAT_DIALECT_REMAT_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Remat_Dialect : Dialect {
  let name = "remat";
  let cppNamespace = "::remat";
  let summary = "What to keep, what to compute again, and when.";
  let description = [{
    Two ops, both identities on values, say which values of a program are kept
    and where others are computed again. `remat-plan` writes them; `remat-lower`
    turns them into what the next compiler knows.

    Attributes that the passes read, all of them optional:

    | attribute | on | meaning |
    |---|---|---|
    | `remat.target = {...}` | module | rates and memory spaces of the machine |
    | `remat.cost = i64` | op | predicted time in the target's unit; overrides the model |
    | `remat.workspace = i64` | op | bytes the op needs for itself while it runs |
    | `remat.recomputable = bool` | op | may it run more than once; overrides what is known of its effects |
    | `remat.alias = [[r, o], ...]` | op | result `r` shares the storage of operand `o` |
    | `remat.plan = {...}` | function | written by `remat-plan`: budget, arena, peak, cost, bound, counts; `best_effort` if it is over its budget |
    | `remat.entry = {...}` | function | written while lowering: the type it had, and which arguments are donated |
    | `remat.kernel` | function | written while lowering: it was outlined, and computes in its caller's buffers |
    | `remat.offsets = array<i64: ...>` | arena's alloc or argument | offset and bytes of each planned buffer, in order |
    | `remat.alignment = i64` | arena that is an argument | what its first byte must be a multiple of |
    | `remat.arena_bytes = i64` | function | bytes of the arena that its caller lends |
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

class Remat_Op<string mnemonic, list<Trait> traits = []>
    : Op<Remat_Dialect, mnemonic, traits>;

def Remat_Policy : StringBasedAttr<
    CPred<"::remat::isPolicy(::llvm::cast<::mlir::StringAttr>($_self))">,
    "save, recompute or offload">;

def Remat_CheckpointOp : Remat_Op<"checkpoint",
    [Pure, SameOperandsAndResultType,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "A value that is kept on purpose.";
  let description = [{
    The result is the operand. A user writes it to name a value, or to say what
    must become of it: `save` keeps it from its computation to its last use,
    `recompute` computes it again rather than keep it, `offload` keeps it in
    another memory. `remat-plan` leaves one on each saved value that
    recomputation starts from, if an op computed it. Every other use of the
    operand should read the result.

    Elementwise fusion stops here, on purpose: a saved value is materialised.

    ```mlir
    %s = remat.checkpoint %v named "block3/attn" policy save : tensor<8x128xf32>
    ```

    One without name and policy on another is the other, and one that no fence
    reads is its operand: what was to start from it is gone.
  }];
  let arguments = (ins AnyType:$value, OptionalAttr<StrAttr>:$named,
                       OptionalAttr<Remat_Policy>:$policy);
  let results = (outs AnyType:$saved);
  let assemblyFormat = [{
    $value (`named` $named^)? (`policy` custom<Policy>($policy)^)? attr-dict
    `:` type($value)
  }];
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

def Remat_RecomputeOp : Remat_Op<"recompute",
    [MemoryEffects<[MemRead]>, AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<InferTypeOpInterface>,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "An identity that no pass sees through.";
  let description = [{
    One result for each operand, in that order, of the same type and value. What
    is computed again reads the results for `from`, so that it is not the
    computation it repeats, and cannot start before the `after` values exist.
    What reads an `after` value later in the schedule reads its result, so that
    no scheduler can drop the fence. This is `optimization_barrier` of StableHLO
    and IREE, one to one.

    ```mlir
    %s1, %dy1 = remat.recompute from %s after %dy
        : tensor<8x128xf32> after tensor<8x128xf32>
    %h1 = linalg.matmul ins(%s1, %w ...)
    ```

    It reads memory, so that a dead one is erased and no two with different
    operands become one. `cse` merges two with equal operands, and then what is
    computed behind them; so each has operands of its own, normally its `after`.
    Canonicalization drops a `from` that nothing is computed from, and a fence
    without any.
  }];
  let arguments = (ins Variadic<AnyType>:$from, Variadic<AnyType>:$after);
  let results = (outs Variadic<AnyType>:$values);
  let assemblyFormat = [{
    `from` $from (`after` $after^)? attr-dict
    `:` type($from) (`after` type($after)^)?
  }];
  let hasCanonicalizeMethod = 1;
  let hasVerifier = 1;
}

#endif
