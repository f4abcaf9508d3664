// A recomputed chain reads what it starts from out of one fence, which waits for
// the gradient that its first reader needs; that reader reads the gradient out of
// the fence too. What the schedule leaves alone stays as it was.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..4,0,1,5,6" | FileCheck %s

// CHECK-LABEL: @chain
// CHECK-SAME:  (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:  %[[A:.*]] = math.exp %[[X]]
// CHECK-NEXT:  %[[B:.*]] = math.sin %[[A]]
// CHECK-NEXT:  %[[C:.*]] = math.cos %[[B]]
// CHECK-NEXT:  %[[L:.*]] = math.tanh %[[C]]
// CHECK-NEXT:  %[[DC:.*]] = arith.mulf %[[L]], %[[C]]
// CHECK-NEXT:  %[[F:.*]], %[[G:.*]] = remat.recompute from %[[X]] after %[[DC]]
// CHECK-NEXT:  %[[A2:.*]] = math.exp %[[F]]
// CHECK-NEXT:  %[[B2:.*]] = math.sin %[[A2]]
// CHECK-NEXT:  %[[DB:.*]] = arith.mulf %[[G]], %[[B2]]
// CHECK-NEXT:  %[[DA:.*]] = arith.mulf %[[DB]], %[[A2]]
// CHECK-NEXT:  return %[[L]], %[[DA]]
func.func @chain(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %l = math.tanh %c : tensor<4xf32>
  %dc = arith.mulf %l, %c : tensor<4xf32>
  %db = arith.mulf %dc, %b : tensor<4xf32>
  %da = arith.mulf %db, %a : tensor<4xf32>
  return %l, %da : tensor<4xf32>, tensor<4xf32>
}
