// What nobody reads is erased, fence and checkpoint alike.
// RUN: remat-opt %s --canonicalize | FileCheck %s
// RUN: remat-opt %s --cse --cse | FileCheck %s

// CHECK-LABEL: @f
// CHECK-NEXT: return
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %s = remat.checkpoint %x named "a" policy save : tensor<4xf32>
  %s1, %y1 = remat.recompute from %s after %y : tensor<4xf32> after tensor<4xf32>
  return
}
