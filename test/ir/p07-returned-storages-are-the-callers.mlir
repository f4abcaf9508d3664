// A value that is returned, itself or as a view, costs nothing to keep, and is
// one storage however often it is returned.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: math.exp (%0) : 32 B returned,
// CHECK: math.log (%0) : 32 B returned,
// CHECK: tensor.collapse_shape (%2) : view of %2,
// CHECK: math.exp (%1) : 32 B,
// CHECK: peak 32, cost {{[0-9]+}}, uncounted 96
func.func @f(%x: tensor<2x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<8xf32>) {
  %0 = math.exp %x : tensor<2x4xf32>
  %1 = math.log %x : tensor<2x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %3 = math.exp %0 : tensor<2x4xf32>
  return %0, %0, %2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<8xf32>
}
