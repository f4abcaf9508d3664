// An op with a region is cloned whole: what the region of the clone captures is
// read out of the fence, the region's own values are its own.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,1,4" | FileCheck %s

// CHECK-LABEL: @captures
// CHECK:       %[[S:.*]] = remat.checkpoint
// CHECK:       scf.if %arg1
// CHECK-NEXT:    arith.mulf %[[S]], %[[S]]
// CHECK:       %[[F:.*]], %[[G:.*]] = remat.recompute from %[[S]] after
// CHECK-NEXT:  %[[R:.*]] = scf.if %arg1
// CHECK-NEXT:    %[[T:.*]] = arith.mulf %[[F]], %[[F]]
// CHECK-NEXT:    scf.yield %[[T]]
// CHECK-NEXT:  else
// CHECK-NEXT:    scf.yield %[[F]]
// CHECK:       arith.addf %[[G]], %[[R]]
func.func @captures(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = scf.if %p -> tensor<4xf32> {
    %t = arith.mulf %a, %a : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  %c = math.cos %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = arith.addf %d, %b : tensor<4xf32>
  return %e : tensor<4xf32>
}
