// Ops of unknown dialects are read in generic form, unless that is forbidden.
// RUN: remat-opt %s | FileCheck %s
// RUN: not remat-opt %s --allow-unregistered-dialect=false 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORBIDDEN

// CHECK: "stablehlo.add"
// FORBIDDEN: unregistered
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
