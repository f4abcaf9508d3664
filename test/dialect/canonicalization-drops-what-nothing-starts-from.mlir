// A fence loses a `from` that nothing is computed from, and goes with the last one;
// a checkpoint that says nothing goes once no fence reads it.
// RUN: remat-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @fewer
// CHECK-NEXT:  %[[F:.*]], %[[A:.*]] = remat.recompute from %arg1 after %arg2 : tensor<2xf32> after tensor<3xf32>
// CHECK-NEXT:  return %[[F]], %[[A]]
func.func @fewer(%x: tensor<1xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>)
    -> (tensor<2xf32>, tensor<3xf32>) {
  %x1, %y1, %z1 = remat.recompute from %x, %y after %z
      : tensor<1xf32>, tensor<2xf32> after tensor<3xf32>
  return %y1, %z1 : tensor<2xf32>, tensor<3xf32>
}

// CHECK-LABEL: @none
// CHECK-NEXT:  return %arg1
func.func @none(%x: tensor<1xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
  %x1, %z1 = remat.recompute from %x after %z : tensor<1xf32> after tensor<3xf32>
  return %z1 : tensor<3xf32>
}

// CHECK-LABEL: @unread
// CHECK-NEXT:  %[[N:.*]] = remat.checkpoint %arg1 named "b"
// CHECK-NEXT:  return %arg0, %[[N]]
func.func @unread(%x: tensor<1xf32>, %y: tensor<2xf32>) -> (tensor<1xf32>, tensor<2xf32>) {
  %s = remat.checkpoint %x : tensor<1xf32>
  %t = remat.checkpoint %y named "b" : tensor<2xf32>
  return %s, %t : tensor<1xf32>, tensor<2xf32>
}
