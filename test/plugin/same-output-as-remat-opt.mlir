// Stock mlir-opt with the plug-in, by one flag, gives what remat-opt gives.
// RUN: remat-opt %s --pass-pipeline='builtin.module(canonicalize,remat-unshare-inits)' -o %t.ours
// RUN: mlir-opt --load-dialect-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(canonicalize,remat-unshare-inits)' -o %t.stock
// RUN: diff %t.ours %t.stock
// RUN: FileCheck %s --input-file=%t.stock

// CHECK: remat.recompute
func.func @f(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %x1, %dy1 = remat.recompute from %x after %dy : tensor<4xf32> after tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %z = linalg.add ins(%y, %dy1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
