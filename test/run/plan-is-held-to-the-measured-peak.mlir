// A plan names its arena; a program that allocates anything else is refused,
// and one that allocates just that is not.
// RUN: not remat-run %s --function missed | FileCheck %s --check-prefix=MISSED
// RUN: remat-run %s --function kept --json | FileCheck %s --check-prefix=KEPT

// MISSED: peak 128 bytes (planned 192)
// MISSED: the measured peak is not what was planned
// KEPT-DAG: "planned_arena":{{.*}}128
// KEPT-DAG: "measured_peak":{{.*}}128
llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
llvm.func @missed()
    attributes {remat.entry = {donated = array<i64>, type = () -> ()},
                remat.plan = {arena = 192 : i64}} {
  %128 = llvm.mlir.constant(128 : i64) : i64
  %a = llvm.call @_mlir_memref_to_llvm_alloc(%128) : (i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @kept()
    attributes {remat.entry = {donated = array<i64>, type = () -> ()},
                remat.plan = {arena = 128 : i64}} {
  %128 = llvm.mlir.constant(128 : i64) : i64
  %a = llvm.call @_mlir_memref_to_llvm_alloc(%128) : (i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%a) : (!llvm.ptr) -> ()
  llvm.return
}
