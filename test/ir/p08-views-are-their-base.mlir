// Views used late hold their base, once, and are no values of their own.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %1 = math.exp (%0) : 32768 B
// CHECK: %2 = tensor.collapse_shape (%1) : view of %1, cost 0
// CHECK: %3 = tensor.expand_shape (%2) : view of %2, cost 0
// CHECK: peak 32768,
func.func @f(%x: tensor<128x64xf32>)
    -> (tensor<8192xf32>, tensor<64x128xf32>) {
  %h = math.exp %x : tensor<128x64xf32>
  %c = tensor.collapse_shape %h [[0, 1]]
      : tensor<128x64xf32> into tensor<8192xf32>
  %t = tensor.expand_shape %c [[0, 1]] output_shape [64, 128]
      : tensor<8192xf32> into tensor<64x128xf32>
  %0 = math.log %c : tensor<8192xf32>
  %1 = math.log %t : tensor<64x128xf32>
  return %0, %1 : tensor<8192xf32>, tensor<64x128xf32>
}
