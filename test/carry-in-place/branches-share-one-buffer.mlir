// Both branches write to one buffer that is made before the `if`, an inner `if`
// to that of the outer one.
// RUN: remat-opt %s --remat-carry-in-place | FileCheck %s
// RUN: remat-opt %s --remat-carry-in-place --one-shot-bufferize="bufferize-function-boundaries" --canonicalize | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: @branches
// CHECK:       %[[R:.*]] = bufferization.alloc_tensor()
// CHECK-NOT:   alloc_tensor
// CHECK:       scf.if
// CHECK:         scf.if
// CHECK:           linalg.exp {{.*}} outs(%[[R]]
// CHECK:         else
// CHECK:           bufferization.materialize_in_destination %arg0 in %[[R]]
// CHECK:       else
// CHECK:         linalg.tanh {{.*}} outs(%[[R]]

// BUFFERS-LABEL: @branches
// BUFFERS:       %[[R:.*]] = memref.alloc
// BUFFERS-NOT:   memref.alloc
// BUFFERS:       return %[[R]]
func.func @branches(%x: tensor<8xf32> {bufferization.writable = false}, %c: i1, %d: i1) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    %inner = scf.if %d -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %y : tensor<8xf32>
    } else {
      scf.yield %x : tensor<8xf32>
    }
    scf.yield %inner : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %y = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
