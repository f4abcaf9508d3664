// A fence hands on the buffer it is given: what is swapped through one is still
// copied first, and a clone behind a fenced init still writes to the argument.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-to-arena | FileCheck %s --check-prefix=ARENA

// CHECK-LABEL: @fenced
// CHECK:       iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}})
// CHECK:         %[[F:.*]], %{{.*}} = remat.recompute from %[[C]]
// CHECK:         linalg.exp {{.*}} outs(%[[F]]
// CHECK:         bufferization.alloc_tensor() copy
// CHECK:         bufferization.alloc_tensor() copy
// CHECK:         bufferization.materialize_in_destination %{{.*}} in %[[A]]

// ARENA-LABEL: @fenced
// ARENA:       memref.alloc() {{.*}} : memref<64xi8>
// ARENA-NOT:   memref.alloc
// ARENA:       return
func.func @fenced(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x, %c = %x) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %f = remat.checkpoint %b : tensor<8xf32>
    %e = tensor.empty() : tensor<8xf32>
    %g:2 = remat.recompute from %e after %a : tensor<8xf32> after tensor<8xf32>
    %y = linalg.exp ins(%g#1 : tensor<8xf32>) outs(%g#0 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %f, %g#1, %y : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
