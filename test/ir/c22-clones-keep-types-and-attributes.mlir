// A clone has the types, rounding, fast-math flags and other attributes of its
// original.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..4,0..2,5" | FileCheck %s

// CHECK-LABEL: @precision
// CHECK:       remat.recompute
// CHECK-NEXT:  arith.truncf %{{.*}} to_nearest_even : tensor<4x4xf32> to tensor<4x4xbf16>
// CHECK-NEXT:  "stablehlo.dot_general"(%{{.*}}) <{precision_config = ["HIGHEST"]}> {keep = 1 : i64} : {{.*}} -> tensor<4x4xbf16>
// CHECK-NEXT:  arith.extf %{{.*}} fastmath<fast> : tensor<4x4xbf16> to tensor<4x4xf32>
func.func @precision(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = arith.truncf %x to_nearest_even : tensor<4x4xf32> to tensor<4x4xbf16>
  %b = "stablehlo.dot_general"(%a, %a) <{precision_config = ["HIGHEST"]}> {keep = 1 : i64} : (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %c = arith.extf %b fastmath<fast> : tensor<4x4xbf16> to tensor<4x4xf32>
  %d = math.cos %c : tensor<4x4xf32>
  %e = math.tanh %d : tensor<4x4xf32>
  %f = arith.addf %e, %c : tensor<4x4xf32>
  return %f : tensor<4x4xf32>
}
