// An init that nobody reads is erased; a fill of something else than an empty
// is nobody's init and stays.
// RUN: remat-opt %s --remat-unshare-inits | FileCheck %s

// CHECK-LABEL: @unused
// CHECK-NOT:   tensor.empty
// CHECK:       %[[F:.*]] = linalg.fill {{.*}} outs(%arg0
// CHECK-NEXT:  return %[[F]]
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%zero : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}
