// A value that is yielded twice is computed in the first argument and copied
// from there to the second.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-to-arena | FileCheck %s --check-prefix=ARENA

// CHECK-LABEL: @twice
// CHECK:       iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:         %[[Y:.*]] = linalg.exp {{.*}} outs(%[[A]]
// CHECK-NEXT:    %[[M:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[A]]
// CHECK-NEXT:    %[[N:.*]] = bufferization.materialize_in_destination %[[M]] in %[[B]]
// CHECK-NEXT:    scf.yield %[[M]], %[[N]]

// ARENA-LABEL: @twice
// ARENA-NOT:   memref.alloc
// ARENA:       return
func.func @twice(%x: tensor<6xf32>, %n: index) -> (tensor<6xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<6xf32>, tensor<6xf32>) {
    %e = tensor.empty() : tensor<6xf32>
    %y = linalg.exp ins(%a : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
    scf.yield %y, %y : tensor<6xf32>, tensor<6xf32>
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
