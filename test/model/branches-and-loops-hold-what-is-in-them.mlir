// The workspace of a region op is the inner peak: of a branch beyond the results
// that it makes, of the fullest branch; of a loop with the next
// carry. What comes from outside is not counted again.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK: scf.if {{.*}} 400 B, cost {{[0-9]+}}, workspace 800{{$}}
// CHECK: stablehlo.while {{.*}} 400 B, 4 B, cost {{[0-9]+}}, workspace 800{{$}}
func.func @f(%x: tensor<100xf32>, %p: i1, %n: tensor<i32>) {
  %0 = scf.if %p -> tensor<100xf32> {
    %a = math.exp %x : tensor<100xf32>
    %b = math.log %x : tensor<100xf32>
    %c = arith.addf %a, %b : tensor<100xf32>
    scf.yield %c : tensor<100xf32>
  } else {
    %a = math.exp %x : tensor<100xf32>
    scf.yield %a : tensor<100xf32>
  }
  %1:2 = "stablehlo.while"(%0, %n) ({
  ^bb0(%c: tensor<100xf32>, %i: tensor<i32>):
    %t = "stablehlo.compare"(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c: tensor<100xf32>, %i: tensor<i32>):
    %d = "stablehlo.exponential"(%c) : (tensor<100xf32>) -> tensor<100xf32>
    %e = "stablehlo.add"(%c, %d)
        : (tensor<100xf32>, tensor<100xf32>) -> tensor<100xf32>
    %j = "stablehlo.add"(%i, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%e, %j) : (tensor<100xf32>, tensor<i32>) -> ()
  }) : (tensor<100xf32>, tensor<i32>) -> (tensor<100xf32>, tensor<i32>)
  return
}
