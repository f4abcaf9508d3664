// An op of an unknown dialect whose region may hold symbols is named; the
// inliner would crash on it, alone or as a part of the lowering.
// RUN: not remat-opt %s --remat-inline-calls 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-to-arena 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=arena budget=50%%" 2>&1 | FileCheck %s --check-prefix=PLAN

// CHECK: hidden-symbols-are-refused.mlir:[[#@LINE+3]]:8: error: 'stablehlo.reduce' is of a dialect that is not known here
// PLAN: error: remat-plan: the lowering that fit=arena runs failed in 'remat-inline-calls': 'stablehlo.reduce' is {{.*}}; fit=live plans without it
func.func @f(%x: tensor<8xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
