// Constants and views of them take no room and are never made again; their bytes
// are among those that are not counted, with arguments and results.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT:  constant
// CHECK:      %1 = tensor.collapse_shape () : 0 B, cost 0
// CHECK-NEXT: %2 = arith.mulf (%0, %1) : 16 B,
// CHECK-NEXT: %3 = math.exp (%2) : 16 B returned,
// CHECK-NEXT: peak 16, cost {{[0-9]+}}, uncounted 48
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<2.0> : tensor<2x2xf32>
  %v = tensor.collapse_shape %c [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %0 = arith.mulf %x, %v : tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
