// A value that is computed again while its first instance is still held, here for the
// caller, has a buffer of its own.
// RUN: remat-opt %s --remat-apply-schedule="fit=arena steps=0..2,0,3" \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: @held
// CHECK:       %[[V:.*]] = memref.alloc
// CHECK:       linalg.exp {{.*}} outs(%[[V]]
// CHECK:       linalg.tanh
// CHECK-NEXT:  %[[W:.*]] = memref.alloc
// CHECK-NEXT:  linalg.exp {{.*}} outs(%[[W]]
// CHECK:       return %[[V]]
func.func @held(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e0 = tensor.empty() : tensor<4xf32>
  %v = linalg.exp ins(%x : tensor<4xf32>) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %b = linalg.log ins(%v : tensor<4xf32>) outs(%e1 : tensor<4xf32>) -> tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %c = linalg.tanh ins(%b : tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %e3 = tensor.empty() : tensor<4xf32>
  %d = linalg.add ins(%c, %v : tensor<4xf32>, tensor<4xf32>) outs(%e3 : tensor<4xf32>) -> tensor<4xf32>
  return %v, %d : tensor<4xf32>, tensor<4xf32>
}
