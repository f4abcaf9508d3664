// Where nothing but what a recomputation starts from is alive, there is nothing to
// wait for; two such fences would be equal and cse would merge them, hence the
// second starts from the first.
// RUN: remat-opt %s --remat-apply-schedule="steps=0,1,0,2,0,3" --cse | FileCheck %s

// CHECK-LABEL: @sinks
// CHECK:       %[[F:.*]] = remat.recompute from %arg0 : tensor<4xf32>
// CHECK-NEXT:  %[[A:.*]] = math.exp %[[F]]
// CHECK-NEXT:  "my.sink"(%[[A]])
// CHECK-NEXT:  %[[G:.*]] = remat.recompute from %[[F]] : tensor<4xf32>
// CHECK-NEXT:  %[[B:.*]] = math.exp %[[G]]
// CHECK-NEXT:  "my.sink"(%[[B]])
func.func @sinks(%x: tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  "my.sink"(%a) : (tensor<4xf32>) -> ()
  "my.sink"(%a) : (tensor<4xf32>) -> ()
  "my.sink"(%a) : (tensor<4xf32>) -> ()
  return
}
