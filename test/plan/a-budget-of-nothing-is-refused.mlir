// A budget that others take whole leaves nothing, which is refused as any other
// that is too small.
// RUN: not remat-opt %s --remat-plan="fit=arena budget=0%%" 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=arena budget=1KiB budget-scope=total" 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=arena budget=1KiB reserve=1KiB" 2>&1 | FileCheck %s

// CHECK: error: remat-plan: no plan fits the budget of 0 bytes: the smallest arena found is 2048 bytes
func.func @f(%x: tensor<256xf32>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %b = linalg.exp ins(%a : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %c = linalg.add ins(%b, %a : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  return %c : tensor<256xf32>
}
