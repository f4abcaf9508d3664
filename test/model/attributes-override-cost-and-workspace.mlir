// `remat.cost` and `remat.workspace` say more than the model.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: math.exp (%0) : 16 B returned, cost 360, workspace 1000
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x {remat.cost = 360 : i64, remat.workspace = 1000 : i64}
      : tensor<4xf32>
  return %0 : tensor<4xf32>
}
