// Both ops print as they were read, generic or not.
// RUN: remat-opt %s | FileCheck %s
// RUN: remat-opt %s --mlir-print-op-generic | remat-opt | FileCheck %s

// CHECK-LABEL: @both
// CHECK: %[[S:.*]] = remat.checkpoint %arg0 named "block3/attn" policy save : tensor<4xf32>
// CHECK: remat.recompute from %[[S]] after %arg1 : tensor<4xf32> after tensor<4xf32>
func.func @both(%x: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %s = remat.checkpoint %x named "block3/attn" policy save : tensor<4xf32>
  %x1, %g1 = remat.recompute from %s after %g : tensor<4xf32> after tensor<4xf32>
  %y = arith.addf %x1, %g1 : tensor<4xf32>
  return %y : tensor<4xf32>
}
