// A running mean is loaded, blended and stored once, whatever is recomputed: a
// replay of the update would give 0.19 in place of 0.1.
// RUN: remat-opt %s --remat-plan="fit=live budget=3076" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: remat-opt %t.mlir --remat-verify=original=%s -o /dev/null

// CHECK-COUNT-1: memref.load
// CHECK-COUNT-1: memref.store
// CHECK-NOT:     memref.load
// CHECK-NOT:     memref.store
// CHECK:         remat.recompute
// CHECK-NOT:     memref.
func.func @step(%x: tensor<256xf32>, %mean: f32, %state: memref<8xf32>) -> tensor<256xf32> {
  %i = arith.constant 0 : index
  %momentum = arith.constant 0.1 : f32
  %keep = arith.constant 0.9 : f32
  %old = memref.load %state[%i] : memref<8xf32>
  %part = arith.mulf %old, %keep : f32
  %new = arith.mulf %mean, %momentum : f32
  %both = arith.addf %part, %new : f32
  memref.store %both, %state[%i] : memref<8xf32>
  %s = tensor.splat %both : tensor<256xf32>
  %a = arith.divf %x, %s : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.mulf %d, %c : tensor<256xf32>
  %f = arith.mulf %e, %b : tensor<256xf32>
  %g = arith.mulf %f, %a : tensor<256xf32>
  %h = arith.mulf %g, %g : tensor<256xf32>
  return %h : tensor<256xf32>
}
