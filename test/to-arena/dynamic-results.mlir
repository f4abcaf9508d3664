// A result whose size is known at run time only is given back, the others go to
// the caller's buffers.
// RUN: remat-opt %s --remat-to-arena 2>/dev/null | FileCheck %s

// CHECK-LABEL: func.func @sized
// CHECK-SAME:    %[[R:.*]]: memref<4xf32> {bufferize.result}) -> memref<?xf32>
// CHECK:         memref.alloc(%{{.*}}) {{.*}} : memref<?xf32>
// CHECK-NOT:     memref.dealloc
// CHECK:         return %{{.*}} : memref<?xf32>
func.func @sized(%x: tensor<4xf32>, %n: index) -> (tensor<?xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %q = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%q : tensor<4xf32>) -> tensor<4xf32>
  return %f, %y : tensor<?xf32>, tensor<4xf32>
}
