// A loop that swaps its arguments takes copies before it writes to either.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s

// CHECK-LABEL: @swap
// CHECK:       iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:         %[[C:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK:         %[[D:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK:         bufferization.materialize_in_destination %[[C]] in %[[A]]
// CHECK:         bufferization.materialize_in_destination %[[D]] in %[[B]]
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
