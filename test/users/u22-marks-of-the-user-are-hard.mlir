// A value the user marked `save` is kept and one marked `recompute` is run
// again, although the budget needs nothing.
// RUN: remat-opt %s --remat-plan="fit=live budget=1MiB" 2>/dev/null | FileCheck %s

// CHECK:     %[[A2:.*]] = math.exp %arg0
// CHECK:     %[[A4:.*]] = math.cos
// CHECK:     %[[S:.*]] = remat.checkpoint %[[A4]] policy save
// CHECK:     u.loss
// CHECK-NOT: math.cos
// CHECK:     remat.recompute
// CHECK:     math.exp
// CHECK-NOT: math.cos
// CHECK:     return
func.func @step(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a2 = math.exp %x : tensor<256xf32>
  %m2 = remat.checkpoint %a2 policy recompute : tensor<256xf32>
  %a3 = math.sin %m2 : tensor<256xf32>
  %a4 = math.cos %a3 : tensor<256xf32>
  %m4 = remat.checkpoint %a4 policy save : tensor<256xf32>
  %a5 = math.sin %m4 : tensor<256xf32>
  %g5 = "u.loss"(%a5) : (tensor<256xf32>) -> tensor<256xf32>
  %g4 = "u.b"(%g5, %m4) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %g2 = "u.b"(%g4, %m2) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %g2 : tensor<256xf32>
}
