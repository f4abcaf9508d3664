// What is carried to the backward is the half-precision value, and one extf is
// run again; the wide copy, twice as large, is not held over the loss.
// RUN: remat-opt %s --remat-plan="fit=live budget=14MiB" 2>/dev/null | FileCheck %s

// CHECK:      %[[H:.*]] = math.exp %arg0 : tensor<1024x1024xf16>
// CHECK:      %[[S:.*]] = remat.checkpoint %[[H]]
// CHECK:      u.loss
// CHECK-NEXT: %[[AGAIN:.*]], %{{.*}} = remat.recompute from %[[S]] after
// CHECK-NEXT: arith.extf %[[AGAIN]]
// CHECK-NEXT: u.b
func.func @step(%x: tensor<1024x1024xf16>, %dy: tensor<1024x1024xf32>) -> (tensor<f32>, tensor<1024x1024xf32>) {
  %h = math.exp %x : tensor<1024x1024xf16>
  %w = arith.extf %h : tensor<1024x1024xf16> to tensor<1024x1024xf32>
  %y = math.exp %w : tensor<1024x1024xf32>
  %loss = "u.loss"(%y) {remat.workspace = 8388608 : i64}  : (tensor<1024x1024xf32>) -> tensor<f32>
  %g = "u.b"(%loss, %w) : (tensor<f32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %loss, %g : tensor<f32>, tensor<1024x1024xf32>
}
