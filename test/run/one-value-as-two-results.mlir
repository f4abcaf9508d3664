// A value that is returned twice, and an argument and a constant that are
// returned, by both lowerings.
// RUN: remat-run %s --stock --repeat 1 | FileCheck %s

// CHECK: all 4 results equal bit for bit (first and stock)
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %a, %x, %k : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
