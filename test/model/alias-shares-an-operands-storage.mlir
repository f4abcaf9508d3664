// `remat.alias` names the operand whose storage a result shares.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %3, %4 = foo.update (%1, %2) : 16 B, view of %2,
// CHECK: peak 48,
func.func @f(%x: tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.log %x : tensor<4xf32>
  %2:2 = "foo.update"(%0, %1) {remat.alias = [[1, 1]]}
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %3 = math.exp %2#1 : tensor<4xf32>
  return
}
