// Duplicate elimination merges the empty tensors that two results start from; the
// results still have two buffers.
// RUN: remat-opt %s --cse --remat-unshare-inits \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: @two
// CHECK-DAG:   %[[A:.*]] = memref.alloc
// CHECK-DAG:   linalg.exp {{.*}} outs(%[[A]]
// CHECK:       %[[B:.*]] = memref.alloc
// CHECK:       linalg.log {{.*}} outs(%[[B]]
// CHECK:       return %[[A]], %[[B]]
func.func @two(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e0 = tensor.empty() : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.log ins(%x : tensor<4xf32>) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
