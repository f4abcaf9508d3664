// The peak lies at `g`, which reads eight units and makes one: recomputing `s`
// cannot help. The error says nine units and names `g`; nothing is inserted.
// RUN: not remat-opt %s --remat-plan="fit=live budget=32768" 2>&1 | FileCheck %s
// RUN: remat-opt %s --remat-plan="fit=live budget=32768 best-effort" 2>/dev/null | FileCheck %s --check-prefix=BEST

// CHECK: error: remat-plan: no plan fits the budget of 32768 bytes: the smallest peak found is 36864 bytes, and none is below 36864 bytes, which 'u.g' needs
// CHECK: note: the fullest step of the smallest found, 36864 bytes live
// CHECK: note: 32768 B alive there, made by 'u.f'
// BEST:     peak = 36864
// BEST-NOT: remat.recompute
func.func @step(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %t = "u.f"(%x) {remat.recomputable = true} : (tensor<1024xf32>) -> tensor<8x1024xf32>
  %y = "u.g"(%t) {remat.recomputable = true} : (tensor<8x1024xf32>) -> tensor<1024xf32>
  %s = "u.h"(%y) {remat.recomputable = true} : (tensor<1024xf32>) -> tensor<1024xf32>
  %l = "u.loss"(%s) {remat.recomputable = true} : (tensor<1024xf32>) -> tensor<1024xf32>
  %g = "u.b"(%l, %s) {remat.recomputable = true} : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  return %g : tensor<1024xf32>
}
