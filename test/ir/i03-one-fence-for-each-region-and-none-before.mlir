// The forward copy has no fence; each run of recomputed ops has one, however many
// ops and readers it has; without recomputation there is none.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..4,0..2,5,6" | FileCheck %s
// RUN: remat-opt %s --remat-apply-schedule="steps=1,0,2..6" | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: @region
// CHECK-NEXT:  math.exp %arg0
// CHECK-NEXT:  math.sin %arg1
// CHECK-NEXT:  arith.mulf
// CHECK-NEXT:  math.tanh
// CHECK-NEXT:  math.cos
// CHECK-NEXT:  remat.recompute from %arg0, %arg1 after
// CHECK-NEXT:  math.exp
// CHECK-NEXT:  math.sin
// CHECK-NEXT:  arith.mulf
// CHECK-NOT:   remat.

// NONE-NOT: remat.
func.func @region(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %y : tensor<4xf32>
  %c = arith.mulf %a, %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = math.cos %d : tensor<4xf32>
  %f = arith.mulf %e, %c : tensor<4xf32>
  %g = arith.mulf %f, %a : tensor<4xf32>
  return %g : tensor<4xf32>
}
