// What remat.plan claims of live bytes is counted again, and held against the
// budget, unless the plan is said to be over it.
// RUN: sed 's/PLAN/peak = 48, budget = 48/' %s > %t.right.mlir
// RUN: remat-opt %t.right.mlir --remat-verify=original=%t.right.mlir -o /dev/null
// RUN: sed 's/PLAN/peak = 32, budget = 64/' %s > %t.claim.mlir
// RUN: not remat-opt %t.claim.mlir --remat-verify=original=%t.claim.mlir 2>&1 | FileCheck %s --check-prefix=CLAIM
// RUN: sed 's/PLAN/peak = 48, budget = 40/' %s > %t.budget.mlir
// RUN: not remat-opt %t.budget.mlir --remat-verify=original=%t.budget.mlir 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: sed 's/PLAN/arena = 64, budget = 60/' %s > %t.arena.mlir
// RUN: not remat-opt %t.arena.mlir --remat-verify=original=%t.arena.mlir 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: sed 's/PLAN/peak = 48, budget = 40, best_effort/' %s > %t.best.mlir
// RUN: remat-opt %t.best.mlir --remat-verify=original=%t.best.mlir -o /dev/null

// CLAIM:  error: a peak of 48 B is over the peak recorded of 32 B
// BUDGET: error: a peak of 48 B is over the budget of 40 B
// ARENA:  error: an arena of 64 B is over the budget of 60 B
func.func @live(%x: tensor<4xf32>) -> tensor<4xf32> attributes {remat.plan = {PLAN}} {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  %c = arith.mulf %b, %a : tensor<4xf32>
  %d = math.cos %c : tensor<4xf32>
  return %d : tensor<4xf32>
}
