// A tensor made in the body is written to the argument that it becomes. The
// second is made by an op that reads its argument element by element, so it is
// written there from the start; the first reads it by rows, and is copied.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-carry-in-place --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s --check-prefix=BUFFERS

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: @carried
// CHECK:       iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK:         %[[Y:.*]] = linalg.matvec {{.*}} outs(%[[E]]
// CHECK:         %[[Z:.*]] = linalg.generic {{.*}} ins(%[[B]] {{.*}} outs(%[[B]]
// CHECK:         %[[M:.*]] = bufferization.materialize_in_destination %[[Y]] in %[[A]]
// CHECK:         %[[N:.*]] = bufferization.materialize_in_destination %[[Z]] in %[[B]]
// CHECK:         scf.yield %[[M]], %[[N]]

// BUFFERS-LABEL: @carried
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS:         scf.for
// BUFFERS-NOT:     iter_args
// BUFFERS:           memref.alloc
// BUFFERS:           memref.copy
// BUFFERS-NOT:       memref.copy
// BUFFERS:         return
func.func @carried(%m: tensor<8x8xf32>, %x: tensor<8xf32> {bufferization.writable = false}, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<8xf32>, tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.matvec ins(%m, %a : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %f = tensor.empty() : tensor<8xf32>
    %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<8xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %t = arith.addf %in, %in : f32
      linalg.yield %t : f32
    } -> tensor<8xf32>
    scf.yield %y, %z : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
