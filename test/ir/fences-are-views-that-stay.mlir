// Fences and checkpoints that are there already are views, result by result, and
// stay where they are. What a checkpoint says to save is not made again.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %1 = math.exp (%0) : 16 B, cost {{[0-9]+}}, kept
// CHECK: %2 = remat.checkpoint (%1) : view of %1, cost 0, fixed
// CHECK: %3 = math.log (%0) : 16 B, cost {{[0-9]+$}}
// CHECK: %4, %5 = remat.recompute (%2, %3) : view of %2, view of %3, cost 0, fixed
// CHECK: %6, %7 = stablehlo.optimization_barrier (%4, %5) : view of %4, view of %5, cost 0, fixed
func.func @f(%x: tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = remat.checkpoint %0 policy save : tensor<4xf32>
  %2 = math.log %x : tensor<4xf32>
  %3, %4 = remat.recompute from %1 after %2
      : tensor<4xf32> after tensor<4xf32>
  %5:2 = "stablehlo.optimization_barrier"(%3, %4)
      : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}
