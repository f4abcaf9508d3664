// `remat.recomputable` says more than what is known of an op, both ways, and
// for the ops in its regions too.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: stablehlo.custom_call (%0) : 16 B, cost {{[0-9]+$}}
// CHECK: foo.unit (%1) : 16 B, cost {{[0-9]+$}}
// CHECK: math.exp (%2) : 16 B, cost {{[0-9]+}}, fixed
// CHECK: scf.for (%3) : 16 B returned, cost {{[0-9]+}}, workspace 16{{$}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = "stablehlo.custom_call"(%x) {remat.recomputable = true}
      : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "foo.unit"(%0) {remat.recomputable} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = math.exp %1 {remat.recomputable = false} : tensor<4xf32>
  %3 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %2) -> tensor<4xf32> {
    %4 = "foo.inside"(%a) {remat.recomputable = true}
        : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}
