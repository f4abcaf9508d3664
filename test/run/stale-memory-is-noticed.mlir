// New memory and results hold a pattern that differs from program to program:
// one that reads what it never wrote does not equal itself.
// RUN: not remat-run %s %s | FileCheck %s

// CHECK: results differ (first and second): result 0 at element 0
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}
