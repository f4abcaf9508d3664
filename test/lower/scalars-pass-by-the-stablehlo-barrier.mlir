// StableHLO's barrier takes tensors and tokens; what is neither stands for itself.
// RUN: remat-opt %s --remat-lower=to=stablehlo | FileCheck %s

// CHECK:      %[[F:.*]]:2 = "stablehlo.optimization_barrier"(%arg1, %arg2) : (tensor<4xf32>, !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
// CHECK-NEXT: "my.use"(%arg0, %[[F]]#0, %[[F]]#1)
// CHECK-NEXT: "my.use"(%arg0)
func.func @f(%n: index, %x: tensor<4xf32>, %t: !stablehlo.token) {
  %n1, %x1, %t1 = remat.recompute from %n, %x after %t : index, tensor<4xf32> after !stablehlo.token
  "my.use"(%n1, %x1, %t1) : (index, tensor<4xf32>, !stablehlo.token) -> ()
  %n2 = remat.recompute from %n : index
  "my.use"(%n2) : (index) -> ()
  return
}
