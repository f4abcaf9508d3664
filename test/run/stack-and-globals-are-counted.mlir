// Tensors that no allocator sees, on the stack or in a writable global, are part
// of the measured peak; constants are not.
// RUN: remat-run %s | FileCheck %s

// CHECK: peak 144 bytes, 0 allocations, 144 bytes of the peak on the stack or in globals
llvm.mlir.global private @state(dense<0.0> : tensor<4xf32>)
    : !llvm.array<4 x f32>
llvm.mlir.global private constant @table(dense<1.0> : tensor<8xf32>)
    : !llvm.array<8 x f32>
llvm.func @main()
    attributes {remat.entry = {donated = array<i64>, type = () -> ()}} {
  %32 = llvm.mlir.constant(32 : i64) : i64
  %a = llvm.alloca %32 x f32 : (i64) -> !llvm.ptr
  llvm.store volatile %32, %a : i64, !llvm.ptr
  llvm.return
}
