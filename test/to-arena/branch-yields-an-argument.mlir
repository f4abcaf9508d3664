// One branch yields what it made, the other an argument: at most one copy, into
// the result, and no allocation.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @either
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.copy
func.func @either(%c: i1, %x: tensor<64xf32>) -> tensor<64xf32> {
  %r = scf.if %c -> tensor<64xf32> {
    %e = tensor.empty() : tensor<64xf32>
    %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %a : tensor<64xf32>
  } else {
    scf.yield %x : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
