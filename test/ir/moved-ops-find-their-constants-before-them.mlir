// Reordering moves ops, never copies them, and moves up the constants they read.
// RUN: remat-opt %s --remat-apply-schedule="steps=2,0,1,3" | FileCheck %s

// CHECK-LABEL: @moved
// CHECK:       %[[C:.*]] = arith.constant dense<2.0
// CHECK-NEXT:  %[[B:.*]] = arith.mulf %arg0, %[[C]]
// CHECK-NEXT:  %[[A:.*]] = math.exp %arg0
// CHECK-NEXT:  %[[D:.*]] = math.sin %[[A]]
// CHECK-NEXT:  %[[E:.*]] = arith.addf %[[D]], %[[B]]
// CHECK-NEXT:  return %[[E]]
func.func @moved(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %d = math.sin %a : tensor<4xf32>
  %c = arith.constant dense<2.0> : tensor<4xf32>
  %b = arith.mulf %x, %c : tensor<4xf32>
  %e = arith.addf %d, %b : tensor<4xf32>
  return %e : tensor<4xf32>
}
