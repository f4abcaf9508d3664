// The original and its recomputation stay two, in and out of loops.
// RUN: remat-opt %s --cse --canonicalize --symbol-dce --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: @straight
// CHECK: math.exp %arg0
// CHECK: %[[DY:.*]] = math.sin
// CHECK: %[[X:.*]], %{{.*}} = remat.recompute from %arg0 after %[[DY]]
// CHECK-NEXT: math.exp %[[X]]
func.func @straight(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = math.exp %x : tensor<4xf32>
  %dy = math.sin %a : tensor<4xf32>
  %x1, %dy1 = remat.recompute from %x after %dy : tensor<4xf32> after tensor<4xf32>
  %b = math.exp %x1 : tensor<4xf32>
  %c = arith.mulf %b, %dy1 : tensor<4xf32>
  return %a, %c : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK-NEXT: %[[X:.*]], %{{.*}} = remat.recompute
// CHECK-NEXT: math.exp %[[X]]
func.func @loop(%x: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = math.exp %x : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<4xf32> {
    %x1, %acc1 = remat.recompute from %x after %acc : tensor<4xf32> after tensor<4xf32>
    %b = math.exp %x1 : tensor<4xf32>
    %c = arith.mulf %b, %acc1 : tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  return %a, %r : tensor<4xf32>, tensor<4xf32>
}
