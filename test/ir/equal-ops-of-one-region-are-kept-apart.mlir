// Two equal ops of the input that are both recomputed in one region read separate
// results of the fence: cse would merge their clones, and one value would stay
// alive from the one's reader to the other's.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..5,1,2,6,7" --cse | FileCheck %s

// CHECK-LABEL: @equal
// CHECK:       %[[F:.*]], %[[G:.*]], %{{.*}} = remat.recompute from %[[S:.*]], %[[S]] after
// CHECK-NEXT:  math.sin %[[F]]
// CHECK-NEXT:  math.sin %[[G]]
func.func @equal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.sin %a : tensor<4xf32>
  %d = arith.mulf %b, %c : tensor<4xf32>
  %e = math.cos %d : tensor<4xf32>
  %f = math.tanh %e : tensor<4xf32>
  %g = arith.addf %f, %b : tensor<4xf32>
  %h = arith.addf %g, %c : tensor<4xf32>
  return %h : tensor<4xf32>
}
