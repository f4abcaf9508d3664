// fit=arena measures what its lowering allocates. One that leaves tensors, or
// that an op stops, is named; so is the op, though it has no location.
// RUN: not remat-opt %s --remat-plan="fit=arena budget=50%% function=f lowering=cse" 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=arena budget=50%% function=g" 2>&1 | FileCheck %s --check-prefix=OP
// RUN: remat-opt %s --remat-plan="budget=50%% function=h" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: error: remat-plan: the lowering that fit=arena runs leaves no func.func 'f' without tensors; fit=live plans without it
// OP: error: remat-plan: the lowering that fit=arena runs failed in 'one-shot-bufferize{{.*}}': op was not bufferized ('u.f' does not bufferize); fit=live plans without it
// NONE: warning: remat-plan: function='h' is the name of no function with a body
func.func @f(%x: tensor<256xf32>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  return %a : tensor<256xf32>
}
func.func @g(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = "u.f"(%x) : (tensor<256xf32>) -> tensor<256xf32> loc(unknown)
  return %a : tensor<256xf32>
}
