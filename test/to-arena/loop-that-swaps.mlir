// A loop that yields its two carried tensors swapped needs buffers outside of it
// only: no allocation in an iteration.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s --stock

// CHECK-LABEL: @swaps
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
func.func @swaps(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %f = arith.constant 2.0 : f32
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %n = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %b, %n : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
