// A mask that is broadcast is held in its small form over the loss, 256 KiB in
// place of 32 MiB, and broadcast again.
// RUN: remat-opt %s --remat-plan="fit=live budget=513MiB" 2>/dev/null | FileCheck %s

// CHECK:      %[[M:.*]] = "u.mask"
// CHECK:      %[[S:.*]] = remat.checkpoint %[[M]] : tensor<512x512xi1>
// CHECK:      u.loss
// CHECK-NEXT: %[[AGAIN:.*]], %{{.*}} = remat.recompute from %[[S]] after
// CHECK-NEXT: "stablehlo.broadcast_in_dim"(%[[AGAIN]])
func.func @step(%s: tensor<512x512xi1>, %x: tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32> {
  %m = "u.mask"(%s) : (tensor<512x512xi1>) -> tensor<512x512xi1>
  %b = "stablehlo.broadcast_in_dim"(%m) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<512x512xi1>) -> tensor<8x16x512x512xi1>
  %z = "stablehlo.negate"(%x) : (tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
  %y = "stablehlo.select"(%b, %x, %z) : (tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
  %l = "u.loss"(%y) {remat.workspace = 268435456 : i64}: (tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
  %g = "stablehlo.select"(%b, %l, %x) : (tensor<8x16x512x512xi1>, tensor<8x16x512x512xf32>, tensor<8x16x512x512xf32>) -> tensor<8x16x512x512xf32>
  return %g : tensor<8x16x512x512xf32>
}
