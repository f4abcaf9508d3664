// Around residual sums the two sums alone are held over the loss: four units are
// enough without any recomputation, and at three the sum of a layer is made
// again from its matmul rather than both being held.
// RUN: remat-opt %s --remat-plan="fit=live budget=1MiB" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: remat-opt %s --remat-plan="fit=live budget=786432" -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREE

// FOUR:  remark: remat-plan: peak 1.0 MiB (budget 1.0 MiB), nothing to do
// THREE: remark: remat-plan: peak 1.0 MiB -> 786432 B (budget 786432 B), {{.*}}, 2 of 13 values recomputed by 2 ops
func.func @step(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %f1 = "u.f"(%x) {remat.recomputable = true, remat.cost = 1000 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %r1 = arith.addf %x, %f1 : tensor<256x256xf32>
  %f2 = "u.f"(%r1) {remat.recomputable = true, remat.cost = 1000 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %r2 = arith.addf %r1, %f2 : tensor<256x256xf32>
  %f3 = "u.f"(%r2) {remat.recomputable = true, remat.cost = 1000 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %r3 = arith.addf %r2, %f3 : tensor<256x256xf32>
  %g3 = "u.loss"(%r3) {remat.recomputable = true, remat.cost = 1000 : i64}: (tensor<256x256xf32>) -> tensor<256x256xf32>
  %d3 = "u.b"(%g3, %r2) {remat.recomputable = true, remat.cost = 1000 : i64}: (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g2 = arith.addf %g3, %d3 : tensor<256x256xf32>
  %d2 = "u.b"(%g2, %r1) {remat.recomputable = true, remat.cost = 1000 : i64}: (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g1 = arith.addf %g2, %d2 : tensor<256x256xf32>
  %d1 = "u.b"(%g1, %x) {remat.recomputable = true, remat.cost = 1000 : i64}: (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g0 = arith.addf %g1, %d1 : tensor<256x256xf32>
  return %g0 : tensor<256x256xf32>
}
