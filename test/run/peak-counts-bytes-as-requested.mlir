// The peak is the greatest sum of live bytes, as the program asked for them.
// RUN: remat-run %s --json | FileCheck %s

// CHECK: "measured_peak":{{.*}}1007
llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
llvm.func @main()
    attributes {remat.entry = {donated = array<i64>, type = () -> ()}} {
  %64 = llvm.mlir.constant(64 : i64) : i64
  %7 = llvm.mlir.constant(7 : i64) : i64
  %500 = llvm.mlir.constant(500 : i64) : i64
  %1000 = llvm.mlir.constant(1000 : i64) : i64
  %a = llvm.call @_mlir_memref_to_llvm_alloc(%7) : (i64) -> !llvm.ptr
  %b = llvm.call @_mlir_memref_to_llvm_alloc(%500) : (i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%b) : (!llvm.ptr) -> ()
  %c = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%64, %1000)
      : (i64, i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%a) : (!llvm.ptr) -> ()
  llvm.call @_mlir_memref_to_llvm_free(%c) : (!llvm.ptr) -> ()
  %d = llvm.call @_mlir_memref_to_llvm_alloc(%1000) : (i64) -> !llvm.ptr
  llvm.call @_mlir_memref_to_llvm_free(%d) : (!llvm.ptr) -> ()
  llvm.return
}
