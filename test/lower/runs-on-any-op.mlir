// The pass may be nested where it is wanted; other functions stay as they are.
// RUN: remat-opt %s --pass-pipeline='builtin.module(func.func(remat-lower))' | FileCheck %s
// RUN: remat-opt %s --pass-pipeline='builtin.module(gpu.module(remat-lower))' | FileCheck %s --check-prefix=OTHER

// CHECK-NOT: remat.recompute
// OTHER:     remat.recompute
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = remat.recompute from %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
