// Ties in bytes go to less work: the result of the last op of a chain is held,
// not an operand from which it would be made again.
// RUN: remat-opt %s --remat-plan="fit=live budget=786432" 2>/dev/null | FileCheck %s
// RUN: remat-opt %s --remat-plan="fit=live strategy=min-cut budget=786432" 2>/dev/null | FileCheck %s

// CHECK-NOT: remat.recompute
// CHECK-LABEL: func.func @result
// CHECK-COUNT-1: math.exp
// CHECK-NOT:     math.exp
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-3: math.sin
// CHECK-NOT:     math.sin
func.func @result(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %v = math.sin %x : tensor<256x256xf32>
  %e = math.exp %v : tensor<256x256xf32>
  %l = "u.loss"(%e) {remat.workspace = 262144 : i64}: (tensor<256x256xf32>) -> tensor<256x256xf32>
  %g = "u.b"(%l, %e) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %g : tensor<256x256xf32>
}
func.func @chain(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = math.sin %x : tensor<256x256xf32>
  %b = math.sin %a : tensor<256x256xf32>
  %c = math.sin %b : tensor<256x256xf32>
  %l = "u.loss"(%c) {remat.workspace = 262144 : i64}: (tensor<256x256xf32>) -> tensor<256x256xf32>
  %g = "u.b"(%l, %c) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %g : tensor<256x256xf32>
}
