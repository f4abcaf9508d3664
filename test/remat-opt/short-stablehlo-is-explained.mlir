// StableHLO in its short form cannot be read; one note says what to do.
// RUN: not remat-opt %s 2>&1 | FileCheck %s

// CHECK: error: {{.*}}stablehlo
// CHECK: short-stablehlo-is-explained.mlir:[[#@LINE+2]]: note: StableHLO is read in generic form only
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
