// For other compilers no attribute of ours stays on ops (a unit attribute would break
// StableHLO's serialization); the record of the plan does. `none` leaves all.
// RUN: remat-opt %s --remat-lower=to=stablehlo | FileCheck %s
// RUN: remat-opt %s --remat-lower=to=iree | FileCheck %s
// RUN: remat-opt %s --remat-lower=to=none | FileCheck %s --check-prefix=NONE

// CHECK:     module {
// CHECK:     func.func @f({{.*}}remat.plan = {arena = 8 : i64}
// CHECK-NOT: remat.
// CHECK:     "stablehlo.sine"(%arg0) {mine = 1 : i64}
// CHECK-NOT: remat.

// NONE: remat.target
// NONE: remat.cost
module attributes {remat.target = {launch = 10}} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {remat.plan = {arena = 8}} {
    %a = "stablehlo.sine"(%x) {mine = 1, remat.cost = 5, remat.recomputable, remat.workspace = 1}
       : (tensor<4xf32>) -> tensor<4xf32>
    return %a : tensor<4xf32>
  }
}
