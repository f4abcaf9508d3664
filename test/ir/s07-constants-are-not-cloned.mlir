// Recomputed ops read the one constant there is.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..2,0,3,0,4" | FileCheck %s

// CHECK-COUNT-1: arith.constant
// CHECK-NOT:     arith.constant
func.func @constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = arith.mulf %x, %k : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = arith.addf %c, %a : tensor<4xf32>
  %e = arith.mulf %d, %a : tensor<4xf32>
  return %e : tensor<4xf32>
}
