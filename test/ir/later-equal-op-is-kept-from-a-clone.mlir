// An op of the input that equals a clone before it reads another name than that,
// so that cse does not merge the two.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,0,1,4,5,6" --cse | FileCheck %s

// CHECK-LABEL: @twice
// CHECK:       remat.recompute from %arg0 after
// CHECK-NEXT:  %[[A:.*]] = math.exp
// CHECK-NEXT:  math.sin %[[A]]
// CHECK:       %[[G:.*]] = remat.recompute from %[[A]] : tensor<4xf32>
// CHECK-NEXT:  math.sin %[[G]]
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = arith.mulf %a, %b : tensor<4xf32>
  %d = math.cos %c : tensor<4xf32>
  %e = arith.addf %d, %b : tensor<4xf32>
  %f = math.sin %a : tensor<4xf32>
  %g = arith.addf %e, %f : tensor<4xf32>
  return %g : tensor<4xf32>
}
