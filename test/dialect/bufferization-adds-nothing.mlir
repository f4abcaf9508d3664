// Both ops are their operands' buffers: two computations, two allocations, no
// copy, and a reader may still write in place.
// RUN: remat-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// CHECK-LABEL: @f
// CHECK: %[[A:.*]] = memref.alloc
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[B:.*]] = memref.alloc
// CHECK-NEXT: linalg.exp ins(%[[A]] {{.*}} outs(%[[B]]
// CHECK-NEXT: linalg.add ins(%[[A]], %[[B]] {{.*}} outs(%[[B]]
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = remat.checkpoint %a named "a" : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%s : tensor<4xf32>) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %s1, %b1 = remat.recompute from %s after %b : tensor<4xf32> after tensor<4xf32>
  %c = linalg.add ins(%s1, %b1 : tensor<4xf32>, tensor<4xf32>) outs(%b1 : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
