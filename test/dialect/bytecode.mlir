// Both ops survive bytecode.
// RUN: remat-opt %s --emit-bytecode | remat-opt | FileCheck %s

// CHECK: %[[S:.*]] = remat.checkpoint %arg0 named "a b" policy offload : tensor<4xf32>
// CHECK: remat.recompute from %[[S]] after %arg1, %arg0 : tensor<4xf32> after index, tensor<4xf32>
func.func @f(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %s = remat.checkpoint %x named "a b" policy offload : tensor<4xf32>
  %x1, %i1, %x2 = remat.recompute from %s after %i, %x
      : tensor<4xf32> after index, tensor<4xf32>
  return %x1 : tensor<4xf32>
}
