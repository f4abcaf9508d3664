// A function whose blocks only loop does not bufferize, and says so.
// RUN: not remat-opt %s --remat-to-arena 2>&1 | FileCheck %s

// CHECK: :[[@LINE+1]]:1: error: {{.*}}without func.return
func.func @never(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^again
^again:
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^again
}
