// Two fences of one block with equal operands become one under cse, and then
// what stands behind them; with an `after` of their own they stay two. That is
// why each fence that we write has operands of its own.
// RUN: remat-opt %s --cse | FileCheck %s

// CHECK-LABEL: @equal
// CHECK-COUNT-1: remat.recompute
// CHECK-NOT: remat.recompute
// CHECK-LABEL: @own
// CHECK-COUNT-2: remat.recompute
func.func @equal(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x1, %y1 = remat.recompute from %x after %y : tensor<4xf32> after tensor<4xf32>
  %a = math.exp %x1 : tensor<4xf32>
  %x2, %y2 = remat.recompute from %x after %y : tensor<4xf32> after tensor<4xf32>
  %b = math.exp %x2 : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

func.func @own(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x1, %y1 = remat.recompute from %x after %y : tensor<4xf32> after tensor<4xf32>
  %a = math.exp %x1 : tensor<4xf32>
  %x2, %a2 = remat.recompute from %x after %a : tensor<4xf32> after tensor<4xf32>
  %b = math.exp %x2 : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
