// RUN: not remat-opt %s --remat-verify=original=%S/Inputs/step.mlir 2>&1 | FileCheck %s
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  // CHECK: :[[#@LINE+2]]:3: error: 'my.log' may not be recomputed, but has left its place
  // CHECK: step.mlir:3:3: note: the original runs this at its place
  "my.log"(%b) : (tensor<4xf32>) -> ()
  "my.log"(%a) : (tensor<4xf32>) -> ()
  %c = arith.mulf %b, %a : tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}
