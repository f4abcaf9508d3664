// A loop, a branch or a reduction may run again if all ops in its regions may;
// one that may not is named if nobody knows it.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK:     remark: 'foo.step' is not known
// CHECK:     stablehlo.reduce (%0, %1) : 4 B, cost {{[0-9]+$}}
// CHECK:     stablehlo.case (%2, %0) : 16 B, cost {{[0-9]+$}}
// CHECK:     stablehlo.case (%2, %4) : 16 B, cost {{[0-9]+}}, fixed
// CHECK:     scf.for (%5) : 16 B, cost {{[0-9]+}}, workspace 16, fixed
// CHECK-NOT: remark
func.func @f(%x: tensor<4xf32>, %zero: tensor<f32>, %i: tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    %n = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%n) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %2 = "stablehlo.case"(%i) ({
    %n = "stablehlo.custom_call"(%1) : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%n) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  %3 = scf.for %k = %c0 to %c1 step %c1 iter_args(%a = %2) -> tensor<4xf32> {
    %4 = "foo.step"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  return
}
