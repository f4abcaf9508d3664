// Down to what mlir-translate takes: allocations are calls that a caller can
// count, kernels keep their mark, bf16 needs no library.
// RUN: remat-opt %s --remat-to-cpu -o %t
// RUN: FileCheck %s < %t
// RUN: mlir-translate --mlir-to-llvmir %t | FileCheck %s --check-prefix=IR

// CHECK-DAG: llvm.func @_mlir_memref_to_llvm_aligned_alloc
// CHECK-DAG: llvm.func @_mlir_memref_to_llvm_free
// CHECK-DAG: llvm.func @main({{.*}}remat.entry
// CHECK-DAG: llvm.func @kernel_matmul_{{.*}}remat.kernel
// IR-NOT: {{fmul|fadd|fpext|fptrunc}}{{.*}}bfloat
// IR:     fmul float
// IR-NOT: {{fmul|fadd|fpext|fptrunc}}{{.*}}bfloat
func.func @main(%a: tensor<4x4xbf16>, %b: tensor<4x4xbf16>)
    -> tensor<4x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x4xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x4xbf16>)
      -> tensor<4x4xbf16>
  %0 = linalg.matmul ins(%a, %b : tensor<4x4xbf16>, tensor<4x4xbf16>)
      outs(%f : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = linalg.tanh ins(%0 : tensor<4x4xbf16>) outs(%e : tensor<4x4xbf16>)
      -> tensor<4x4xbf16>
  %2 = linalg.matmul ins(%0, %1 : tensor<4x4xbf16>, tensor<4x4xbf16>)
      outs(%f : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %2 : tensor<4x4xbf16>
}
