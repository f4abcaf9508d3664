// The planner gives the same program in stock mlir-opt and in remat-opt.
// RUN: remat-opt %s --remat-plan="budget=48 fit=live" -o %t.ours
// RUN: mlir-opt --load-dialect-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(remat-plan{budget=48 fit=live})' -o %t.stock
// RUN: diff %t.ours %t.stock
// RUN: FileCheck %s --input-file=%t.stock

// CHECK: remat.recompute
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = arith.mulf %d, %b : tensor<4xf32>
  %f = arith.mulf %e, %a : tensor<4xf32>
  return %f : tensor<4xf32>
}
