// From tensors to one arena: the call is inlined, the loop's result is computed
// where the caller wants it, the argument is not written.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s

// CHECK-NOT:   @layer
// CHECK-LABEL: func.func @step
// CHECK-SAME:  (%[[X:.*]]: memref<8x8xf32>, %{{.*}}: index, %[[OUT:.*]]: memref<8x8xf32> {bufferize.result})
// CHECK:       memref.alloc() {alignment = 64 : i64, remat.offsets = array<i64: 0, 256>} : memref<256xi8>
// CHECK-NOT:   memref.alloc
// CHECK:       memref.copy %[[X]], %[[OUT]]
// CHECK:       scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[OUT]]
func.func private @layer(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func @step(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8x8xf32> {
    %y = func.call @layer(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
