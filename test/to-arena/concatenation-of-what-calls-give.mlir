// The halves of a concatenation are computed in it, though functions make them,
// the second one first.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @halves
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return
func.func private @half(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func @halves(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = tensor.extract_slice %x[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = func.call @half(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %a = func.call @half(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %j = tensor.concat dim(0) %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %j : tensor<8xf32>
}
