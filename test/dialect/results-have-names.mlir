// Each result of a fence prints under a name of its own.
// RUN: remat-opt %s | FileCheck %s

// CHECK: %saved = remat.checkpoint
// CHECK: %again, %again_0, %after = remat.recompute
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = remat.checkpoint %x : tensor<4xf32>
  %0:3 = remat.recompute from %s, %x after %y
      : tensor<4xf32>, tensor<4xf32> after tensor<4xf32>
  return %0#2 : tensor<4xf32>
}
