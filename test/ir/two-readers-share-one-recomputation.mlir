// A value recomputed once serves both of its late readers behind one fence.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..2,0,3,4" | FileCheck %s

// CHECK-LABEL:     @shared
// CHECK-COUNT-1:   remat.recompute
// CHECK-NEXT:      %[[A:.*]] = math.exp
// CHECK-NEXT:      arith.mulf %{{.*}}, %[[A]]
// CHECK-NEXT:      arith.addf %{{.*}}, %[[A]]
// CHECK-NOT:       remat.recompute
func.func @shared(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = arith.mulf %c, %a : tensor<4xf32>
  %e = arith.addf %d, %a : tensor<4xf32>
  return %e : tensor<4xf32>
}
