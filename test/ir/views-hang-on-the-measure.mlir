// For fit=live views are those of the judge; for an arena those that
// bufferization makes. A view of a view shares the same storage.
// RUN: remat-opt %s --remat-print-graph="fit=arena" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIVE

// ARENA: stablehlo.reshape (%1) : 32 B,
// ARENA: tensor.collapse_shape (%2) : view of %2, cost 0
// ARENA: tensor.extract_slice (%3) : view of %3, cost 0
// LIVE:  stablehlo.reshape (%1) : view of %1, cost 0
// LIVE:  tensor.collapse_shape (%2) : view of %2, cost 0
// LIVE:  tensor.extract_slice (%3) : 16 B,
func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %1 = "stablehlo.reshape"(%0) : (tensor<8xf32>) -> tensor<2x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %3 = tensor.extract_slice %2[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %4 = math.exp %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
