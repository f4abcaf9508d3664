// An op with two results is run again as one clone, though one of them alone is
// read late.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..2,0,3" | FileCheck %s

// CHECK-LABEL: @split
// CHECK:       %[[A:.*]]:2 = "my.split"(%arg0)
// CHECK:       remat.recompute from %arg0 after
// CHECK-NEXT:  %[[B:.*]]:2 = "my.split"(%{{.*}})
// CHECK-NEXT:  arith.addf %{{.*}}, %[[B]]#1
func.func @split(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a:2 = "my.split"(%x) {remat.recomputable = true}
       : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %b = arith.mulf %a#0, %a#1 : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = arith.addf %c, %a#1 : tensor<4xf32>
  return %d : tensor<4xf32>
}
