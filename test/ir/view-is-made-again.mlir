// A view of a recomputed value is a step like any other.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,0,1,4" | FileCheck %s

// CHECK-LABEL: @view
// CHECK:       remat.recompute from %arg0 after
// CHECK-NEXT:  %[[A:.*]] = math.exp
// CHECK-NEXT:  %[[V:.*]] = tensor.collapse_shape %[[A]]
// CHECK-NEXT:  arith.addf %{{.*}}, %[[V]]
func.func @view(%x: tensor<2x2xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<2x2xf32>
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %c = math.cos %v : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = arith.addf %d, %v : tensor<4xf32>
  return %e : tensor<4xf32>
}
