// Functions that nobody calls are planned one by one; a callee is part of its
// caller; one on a call cycle is left, with a remark; a declaration is passed by.
// RUN: remat-opt %s --remat-plan="fit=live budget=4096" 2>&1 | FileCheck %s
// CHECK: remark: remat-plan: on a call cycle, left as it is
// CHECK: remark: remat-plan: peak 5120 B -> 4096 B
// CHECK: remark: remat-plan: peak 5120 B -> 4096 B
// CHECK-NOT: remark
func.func private @declared(tensor<4xf32>)
func.func @loops(%x: tensor<4xf32>) {
  call @loops(%x) : (tensor<4xf32>) -> ()
  return
}
func.func @one(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
func.func @two(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
