// Nothing is changed although the first function could have been planned.
// RUN: not remat-opt %s --remat-plan="fit=live budget=2100 plan-out=%t.json" 2>&1 | FileCheck %s
// RUN: not ls %t.json
// CHECK: error: remat-plan: no plan fits the budget of 2100 bytes
// CHECK-NOT: remark: remat-plan: peak
func.func @fits(%x: tensor<128xf32>) -> tensor<128xf32> {
  %a = math.exp %x : tensor<128xf32>
  %b = math.exp %a : tensor<128xf32>
  %c = math.exp %b : tensor<128xf32>
  %d = math.exp %c : tensor<128xf32>
  %e = arith.addf %d, %c : tensor<128xf32>
  %f = arith.addf %e, %b : tensor<128xf32>
  %g = arith.addf %f, %a : tensor<128xf32>
  %h = arith.addf %g, %a : tensor<128xf32>
  return %h : tensor<128xf32>
}
func.func @does_not(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %e = arith.addf %c, %b : tensor<256xf32>
  %h = arith.addf %e, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
