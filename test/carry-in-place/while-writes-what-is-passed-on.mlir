// The second region of a while loop writes to what the first one passed on as
// it came. What the first one makes anew is left alone.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-carry-in-place --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: @while
// CHECK:       ^bb0(%[[P:.*]]: tensor<8xf32>, %{{.*}}: i32):
// CHECK:         %[[M:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[P]]
// CHECK:         scf.yield %[[M]]

// BUFFERS-LABEL: @while
// BUFFERS:       memref.alloc
// BUFFERS:       scf.while
// BUFFERS-NOT:   memref.alloc
// BUFFERS:       return
func.func @while(%x: tensor<8xf32> {bufferization.writable = false}, %n: i32) -> tensor<8xf32> {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %x, %i = %n) : (tensor<8xf32>, i32) -> (tensor<8xf32>, i32) {
    %c0 = arith.constant 0 : i32
    %more = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%more) %a, %i : tensor<8xf32>, i32
  } do {
  ^bb0(%a: tensor<8xf32>, %i: i32):
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %next = arith.subi %i, %c1 : i32
    scf.yield %y, %next : tensor<8xf32>, i32
  }
  return %r#0 : tensor<8xf32>
}
