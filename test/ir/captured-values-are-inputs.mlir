// What the ops inside regions read from outside, at any depth, the op reads.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %2 = math.exp (%0)
// CHECK: %3 = scf.if (%1, %2, %0) : 16 B returned
func.func @f(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  %1 = scf.if %p -> tensor<4xf32> {
    %2 = scf.if %p -> tensor<4xf32> {
      %3 = arith.addf %0, %0 : tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %2 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
