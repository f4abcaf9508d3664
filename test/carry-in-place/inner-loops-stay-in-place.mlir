// An inner loop that starts from the argument returns in it, so nothing is
// copied. Where the argument is still read, the inner loop starts from a copy.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-to-arena | FileCheck %s --check-prefix=ARENA

// CHECK-LABEL: @in_place
// CHECK:       scf.for {{.*}} iter_args(%[[B:.*]] = %arg0)
// CHECK-NEXT:    %[[W:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[B]])
// CHECK:         scf.yield %[[W]]
// CHECK-NEXT:  }

// ARENA-LABEL: @in_place
// ARENA-NOT:   memref.alloc
// ARENA:       return
func.func @in_place(%x: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %x) -> tensor<6xf32> {
    %w = scf.for %k = %c0 to %n step %c1 iter_args(%p = %b) -> tensor<6xf32> {
      %e = tensor.empty() : tensor<6xf32>
      %z = linalg.exp ins(%p : tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
      scf.yield %z : tensor<6xf32>
    }
    scf.yield %w : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}

// CHECK-LABEL: @still_read
// CHECK:       scf.for {{.*}} iter_args(%[[B:.*]] = %arg0)
// CHECK-NEXT:    %[[C:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK-NEXT:    scf.for {{.*}} iter_args(%{{.*}} = %[[C]])
// CHECK-NEXT:      linalg.exp ins(%[[B]]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in %[[B]]

// ARENA-LABEL: @still_read
// ARENA:       memref.alloc() {alignment = 64 : i64, remat.offsets = array<i64: 0, 24>}
// ARENA-NOT:   memref.alloc
// ARENA:       return
func.func @still_read(%x: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %x) -> tensor<6xf32> {
    %w = scf.for %k = %c0 to %n step %c1 iter_args(%p = %b) -> tensor<6xf32> {
      %z = linalg.exp ins(%b : tensor<6xf32>) outs(%p : tensor<6xf32>) -> tensor<6xf32>
      scf.yield %z : tensor<6xf32>
    }
    scf.yield %w : tensor<6xf32>
  }
  return %r : tensor<6xf32>
}
