// A loop whose condition is false from the start, and that yields what stands
// outside of it, bufferizes.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s

// CHECK-LABEL: @never
// CHECK:         return
func.func @never() {
  %false = arith.constant false
  %e = tensor.empty() : tensor<4xf32>
  scf.while (%a = %e) : (tensor<4xf32>) -> () {
    scf.condition(%false)
  } do {
    scf.yield %e : tensor<4xf32>
  }
  return
}
