// A value marked `recompute` is not held into the backward although the budget
// has room; one marked `save` is never recomputed though it is the cheapest.
// RUN: remat-opt %s --remat-plan="fit=live budget=1MiB function=recompute" | FileCheck %s --check-prefix=FORCED
// RUN: remat-opt %s --remat-plan="fit=live budget=4096 function=save" | FileCheck %s --check-prefix=SAVED

// FORCED-LABEL: func.func @recompute
// FORCED:       remat.recompute
// FORCED-NEXT:  math.exp
// FORCED-LABEL: func.func @save
func.func @recompute(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a0 = math.exp %x : tensor<256xf32>
  %a = remat.checkpoint %a0 policy recompute : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %e = arith.addf %c, %b : tensor<256xf32>
  %g = arith.addf %e, %a : tensor<256xf32>
  %h = arith.addf %g, %g : tensor<256xf32>
  return %h : tensor<256xf32>
}

// SAVED-LABEL: func.func @save
// SAVED:       %[[A:.*]] = math.exp %arg0
// SAVED-NEXT:  %[[S:.*]] = remat.checkpoint %[[A]] policy save
// SAVED-NOT:   math.exp %arg0
// SAVED:       remat.recompute from %[[S]]
// SAVED-NOT:   from %arg0
func.func @save(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a0 = math.exp %x : tensor<256xf32>
  %a = remat.checkpoint %a0 policy save : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
