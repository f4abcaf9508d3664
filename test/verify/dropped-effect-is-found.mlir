// RUN: not remat-opt %s --remat-verify=original=%S/Inputs/step.mlir 2>&1 | FileCheck %s
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  "my.log"(%a) : (tensor<4xf32>) -> ()
  %b = math.sin %a : tensor<4xf32>
  %c = arith.mulf %b, %a : tensor<4xf32>
  // CHECK: :[[#@LINE+2]]:3: error: 'my.log' of the original is not run, and has effects
  // CHECK: step.mlir:5:3: note: this one
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}
