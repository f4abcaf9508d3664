// `pin` decides over names of checkpoints; a named checkpoint without a policy
// leaves the planner free.
// RUN: remat-opt %s --remat-plan="fit=live budget=4096" | FileCheck %s --check-prefix=FREE
// RUN: remat-opt %s --remat-plan="fit=live budget=4096 pin=save:block*" | FileCheck %s --check-prefix=PINNED
// RUN: not remat-opt %s --remat-plan="fit=live budget=4096 pin=keep:block*" 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not remat-opt %s --remat-plan="fit=live budget=4096 pin=offload:block*" 2>&1 | FileCheck %s --check-prefix=OFFLOAD

// FREE:    remat.recompute from %arg0
// PINNED:  remat.recompute from %saved
// BAD:     error: remat-plan: pin 'keep:block*' is not save:GLOB or recompute:GLOB
// OFFLOAD: error: remat-plan: pin 'offload:block*': remat-plan does not offload
func.func @named(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a0 = math.exp %x : tensor<256xf32>
  %a = remat.checkpoint %a0 named "block1/in" : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
