// A value that an op computed and that recomputation starts from is saved: a
// checkpoint stands on it, and all else reads that. Arguments get none.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,1,4" | FileCheck %s

// CHECK-LABEL: @saved
// CHECK:       %[[A:.*]] = math.exp
// CHECK-NEXT:  %[[S:.*]] = remat.checkpoint %[[A]]
// CHECK-NEXT:  %[[B:.*]] = arith.mulf %[[S]], %arg1
// CHECK-NEXT:  %[[C:.*]] = math.cos %[[B]]
// CHECK-NEXT:  %[[D:.*]] = math.tanh %[[C]]
// CHECK-NEXT:  %[[F:.*]], %[[G:.*]] = remat.recompute from %[[S]] after %[[D]]
// CHECK-NEXT:  %[[B2:.*]] = arith.mulf %[[F]], %arg1
// CHECK-NEXT:  arith.addf %[[G]], %[[B2]]
func.func @saved(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = arith.mulf %a, %w : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = arith.addf %d, %b : tensor<4xf32>
  return %e : tensor<4xf32>
}
