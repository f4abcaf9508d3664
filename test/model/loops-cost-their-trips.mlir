// A loop costs its body as often as its constant bounds say, 16 times where they
// say nothing; a branch its dearest region.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK: scf.for {{.*}} cost 50
// CHECK: scf.for {{.*}} cost 160
// CHECK: stablehlo.while {{.*}} cost 50
// CHECK: stablehlo.case {{.*}} cost 30
func.func @f(%x: tensor<4xf32>, %n: index, %i: tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = scf.for %k = %c0 to %c9 step %c2 iter_args(%a = %x) -> tensor<4xf32> {
    %1 = math.exp %a {remat.cost = 10 : i64} : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %1 = scf.for %k = %c0 to %n step %c2 iter_args(%a = %x) -> tensor<4xf32> {
    %2 = math.exp %a {remat.cost = 10 : i64} : tensor<4xf32>
    scf.yield %2 : tensor<4xf32>
  }
  %first = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}>
      : () -> tensor<i32>
  %last = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}>
      : () -> tensor<i32>
  %2 = "stablehlo.while"(%first) ({
  ^bb0(%k: tensor<i32>):
    %p = "stablehlo.compare"(%k, %last) {remat.cost = 0 : i64}
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%k: tensor<i32>):
    %j = "stablehlo.add"(%k, %i) {remat.cost = 10 : i64}
        : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%j) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  %3 = "stablehlo.case"(%i) ({
    %a = "stablehlo.tanh"(%x) {remat.cost = 30 : i64}
        : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }, {
    %a = "stablehlo.abs"(%x) {remat.cost = 20 : i64}
        : (tensor<4xf32>) -> tensor<4xf32>
    "stablehlo.return"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i32>) -> tensor<4xf32>
  return
}
