// Nothing is saved between a chain of four and its gradients: each piece is computed
// again from the argument, behind a fence that holds the gradient coming in, and ends
// right before its reader.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..5,0..2,6,0..1,7,0,8" | FileCheck %s

// CHECK-LABEL: @chain
// CHECK:       %[[D4:.*]] = arith.mulf
// CHECK-NEXT:  %[[X3:.*]], %[[G4:.*]] = remat.recompute from %arg0 after %[[D4]]
// CHECK-NEXT:  %[[A:.*]] = math.exp %[[X3]]
// CHECK-NEXT:  %[[B:.*]] = math.sin %[[A]]
// CHECK-NEXT:  %[[C:.*]] = math.cos %[[B]]
// CHECK-NEXT:  %[[D3:.*]] = arith.mulf %[[G4]], %[[C]]
// CHECK-NEXT:  %[[X2:.*]], %[[G3:.*]] = remat.recompute from %arg0 after %[[D3]]
// CHECK-NEXT:  %[[A2:.*]] = math.exp %[[X2]]
// CHECK-NEXT:  %[[B2:.*]] = math.sin %[[A2]]
// CHECK-NEXT:  %[[D2:.*]] = arith.mulf %[[G3]], %[[B2]]
// CHECK-NEXT:  %[[X1:.*]], %[[G2:.*]] = remat.recompute from %arg0 after %[[D2]]
// CHECK-NEXT:  %[[A3:.*]] = math.exp %[[X1]]
// CHECK-NEXT:  arith.mulf %[[G2]], %[[A3]]
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %l = math.absf %d : tensor<4xf32>
  %d4 = arith.mulf %l, %d : tensor<4xf32>
  %d3 = arith.mulf %d4, %c : tensor<4xf32>
  %d2 = arith.mulf %d3, %b : tensor<4xf32>
  %d1 = arith.mulf %d2, %a : tensor<4xf32>
  return %d1 : tensor<4xf32>
}
