// A write of the backward is not moved into the forward though it depends only
// on what the forward has, and a value read before it is not read again after.
// RUN: remat-opt %s --remat-plan="fit=live budget=4096" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: remat-opt %t.mlir --remat-verify=original=%s -o /dev/null

// CHECK:     bufferization.to_tensor
// CHECK:     "u.loss"
// CHECK:     linalg.fill
// CHECK:     remat.recompute
// CHECK-NOT: linalg.fill
// CHECK-NOT: bufferization.to_tensor
func.func @step(%x: memref<256xf32>) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %y = bufferization.to_tensor %x : memref<256xf32> to tensor<256xf32>
  %a = math.exp %y : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %g = "u.loss"(%d) {remat.recomputable = true} : (tensor<256xf32>) -> tensor<256xf32>
  linalg.fill ins(%zero : f32) outs(%x : memref<256xf32>)
  %k = arith.mulf %g, %c : tensor<256xf32>
  %e = arith.mulf %k, %b : tensor<256xf32>
  %f = arith.mulf %e, %a : tensor<256xf32>
  %h = arith.mulf %f, %f : tensor<256xf32>
  return %h : tensor<256xf32>
}
