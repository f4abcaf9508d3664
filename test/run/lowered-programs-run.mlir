// A program runs from any stage: tensors, memrefs, LLVM's dialect. The noted
// type of the function tells how to call it.
// RUN: remat-opt %s --remat-to-cpu -o %t.llvm.mlir
// RUN: remat-run %s %t.llvm.mlir | FileCheck %s --check-prefixes=SHARED,CHECK
// RUN: remat-opt %s --remat-entry-points --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --buffer-results-to-out-params -o %t.memref.mlir
// RUN: remat-run %t.memref.mlir %t.llvm.mlir | FileCheck %s

// SHARED: .llvm.mlir: 2 kernels, 2 of them shared
// CHECK: all 2 results equal bit for bit
func.func @main(%x: tensor<2x3xf32>, %s: f32, %i: index)
    -> (tensor<3x2xf32>, index) {
  %e = tensor.empty() : tensor<3x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>)
      permutation = [1, 0]
  %1 = linalg.map ins(%0 : tensor<3x2xf32>) outs(%e : tensor<3x2xf32>)
      (%a: f32, %old: f32) {
        %p = arith.mulf %a, %s : f32
        linalg.yield %p : f32
      }
  %c = arith.constant 1 : index
  %j = arith.addi %i, %c : index
  return %1, %j : tensor<3x2xf32>, index
}
