// A pass that fails leaves a reproducer that fails in the same way.
// RUN: not remat-opt %s --remat-plan="budget=2 fit=live pin={save:a b}" \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=KEPT
// RUN: not remat-opt %t --run-reproducer 2>&1 | FileCheck %s

// CHECK: error: remat-plan: no plan fits the budget
// KEPT: remat-plan{{.*}}budget=2{{.*}}pin={save:a b}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = arith.mulf %b, %a : tensor<4xf32>
  return %c : tensor<4xf32>
}
