// A value used at both ends of a long chain is recomputed once the budget no
// longer holds it across the chain; the chain itself is left alone.
// RUN: remat-opt %s --remat-plan="budget=4096 fit=live" | FileCheck %s

// CHECK-LABEL: func.func @both_ends
// CHECK-SAME:  remat.plan = {{{.*}}peak = 4096 : i64
// CHECK:       %[[D:.*]] = math.exp
// CHECK:       %[[F:.*]] = arith.addf
// CHECK:       %[[F:.*]] = arith.addf
// CHECK-NEXT:  %[[X:.*]], %[[AFTER:.*]] = remat.recompute from %arg0 after %[[F]]
// CHECK-NEXT:  %[[A:.*]] = math.exp %[[X]]
// CHECK-NEXT:  arith.addf %[[AFTER]], %[[A]]
// CHECK-NOT:   remat.recompute
func.func @both_ends(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
