// RUN: not remat-opt %s --remat-verify=original=%S/Inputs/step.mlir 2>&1 | FileCheck %s
func.func @step(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  "my.log"(%a) : (tensor<4xf32>) -> ()
  %b = math.sin %a : tensor<4xf32>
  "my.log"(%b) : (tensor<4xf32>) -> ()
  %c = arith.mulf %b, %a : tensor<4xf32>
  // CHECK: :[[#@LINE+2]]:3: error: result 0 is not what the original returns
  // CHECK: step.mlir:7:3: note: the original's return
  return %c, %b : tensor<4xf32>, tensor<4xf32>
}
