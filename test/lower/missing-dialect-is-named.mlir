// Where unregistered ops are not allowed, a barrier cannot be made.
// RUN: not mlir-opt %s --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(remat-lower{to=iree})' 2>&1 | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --pass-pipeline='builtin.module(remat-lower)'
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --allow-unregistered-dialect --pass-pipeline='builtin.module(remat-lower{to=iree})'

// CHECK: :9:8: error: option 'to': this context has no util.optimization_barrier; load its dialect or allow unregistered dialects
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {

  %y = remat.recompute from %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
