// Arguments of 18 MiB are taken from a total budget of 138 MiB first: 120 MiB are
// left, and what fits into 120 fits into the total; a reserve is taken as well.
// RUN: remat-opt %s --remat-plan="fit=live budget-scope=total budget=138MiB" -o /dev/null 2>&1 | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=live budget-scope=total budget=127MiB" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not remat-opt %s --remat-plan="fit=live budget-scope=total budget=138MiB reserve=11MiB" 2>&1 | FileCheck %s --check-prefix=LESS

// CHECK: remat-plan: peak 110.0 MiB (budget 120.0 MiB), nothing to do
// LESS:  error: remat-plan: no plan fits the budget of 114294784 bytes
func.func @step(%x: tensor<18x1048576xi8>) {
  %a = "u.f"(%x) : (tensor<18x1048576xi8>) -> tensor<109x1048576xi8>
  %b = "u.g"(%a) : (tensor<109x1048576xi8>) -> tensor<1x1048576xi8>
  "u.use"(%b) : (tensor<1x1048576xi8>) -> ()
  return
}
