// The barrier of the next compiler takes what recomputation starts from together with
// the gradient it waits for, and both are read from behind it.
// RUN: remat-opt %s --remat-lower=to=stablehlo | FileCheck %s -DBARRIER=stablehlo.optimization_barrier
// RUN: remat-opt %s --remat-lower=to=iree | FileCheck %s -DBARRIER=util.optimization_barrier

// CHECK-LABEL: @f
// CHECK:       %[[A:.*]] = "stablehlo.exponential"
// CHECK-NEXT:  %[[D:.*]] = "stablehlo.sine"(%[[A]])
// CHECK-NEXT:  %[[F:.*]]:2 = "[[BARRIER]]"(%[[A]], %[[D]]) : (tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)
// CHECK-NEXT:  "stablehlo.cosine"(%[[F]]#0)
// CHECK-NEXT:  "stablehlo.multiply"(%{{.*}}, %[[F]]#1)
// CHECK-NOT:   remat
func.func @f(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %s = remat.checkpoint %a : tensor<4xf32>
  %d = "stablehlo.sine"(%s) : (tensor<4xf32>) -> tensor<8xf32>
  %s1, %d1 = remat.recompute from %s after %d : tensor<4xf32> after tensor<8xf32>
  %b = "stablehlo.cosine"(%s1) : (tensor<4xf32>) -> tensor<8xf32>
  %c = "stablehlo.multiply"(%b, %d1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
