// A private function that nobody calls is planned as any other: the lowering
// measures it though it would clear it away. One that leaves no function to
// measure is named.
// RUN: remat-opt %s --remat-plan="fit=arena budget=60%%" 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=arena budget=60%% lowering={symbol-dce,one-shot-bufferize{bufferize-function-boundaries=1},convert-func-to-llvm}" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GONE

// CHECK: remark: remat-plan: arena 4096 B -> 2048 B (budget 2458 B)
// GONE: error: remat-plan: the lowering that fit=arena runs leaves no func.func 'f' to measure; fit=live plans without it
func.func private @f(%x: tensor<256xf32>) -> tensor<256xf32> {
  %e = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %b = linalg.exp ins(%a : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %c = linalg.exp ins(%b : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %d = linalg.exp ins(%c : tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.add ins(%d, %c : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %s = linalg.add ins(%r, %b : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %t = linalg.add ins(%s, %a : tensor<256xf32>, tensor<256xf32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  return %t : tensor<256xf32>
}
