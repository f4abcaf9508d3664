// What is cut out of a tensor and then starts another result is a copy; so is
// what a group holds of a view that is written into.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK:     math.exp (%0) : 32 B,
// CHECK:     linalg.matmul +2 (%3, %1) : 16 B,
// CHECK:     math.log (%3) : 32 B returned,
// CHECK-NOT: view of
func.func @f(%x: tensor<8xf32>, %y: tensor<2x2xf32>, %c: index)
    -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %1 = tensor.extract_slice %0[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2]
      : tensor<4xf32> into tensor<2x2xf32>
  %3 = linalg.matmul ins(%y, %y : tensor<2x2xf32>, tensor<2x2xf32>)
      outs(%2 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = math.log %0 : tensor<8xf32>
  %5 = tensor.extract %3[%c, %c] : tensor<2x2xf32>
  return %4 : tensor<8xf32>
}
