// A clone that an operand only shapes starts from an empty tensor instead, and another
// clone from another: the value need not stay alive.
// RUN: remat-opt %s --remat-apply-schedule="fit=arena steps=0..2,1,3,1,4" | FileCheck %s

// CHECK-LABEL: @shape
// CHECK:       %[[A:.*]] = math.exp
// CHECK:       linalg.exp ins(%arg0 {{.*}} outs(%[[A]]
// CHECK:       remat.recompute
// CHECK-NEXT:  %[[E:.*]] = tensor.empty
// CHECK-NEXT:  linalg.exp {{.*}} outs(%[[E]]
// CHECK:       remat.recompute
// CHECK-NEXT:  %[[F:.*]] = tensor.empty
// CHECK-NEXT:  linalg.exp {{.*}} outs(%[[F]]
func.func @shape(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = math.exp %x : tensor<8xf32>
  %b = linalg.exp ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %c = arith.mulf %b, %a : tensor<8xf32>
  %d = arith.addf %c, %b : tensor<8xf32>
  %e = arith.mulf %d, %b : tensor<8xf32>
  return %e : tensor<8xf32>
}
