// In a loop a result is made in the storage it starts from, where that dies: the
// stack that a scan fills is there once.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s --check-prefixes=CHECK,LIVE
// RUN: remat-opt %s --remat-print-graph="fit=arena" -o /dev/null 2>&1 | FileCheck %s

// LIVE:  stablehlo.while {{.*}} 4000 B, cost {{[0-9]+}}, workspace 1{{$}}
// CHECK: scf.for {{.*}} 4000 B, cost {{[0-9]+$}}
func.func @f(%s: tensor<10x100xf32>, %x: tensor<1x100xf32>, %t: tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %0 = "stablehlo.while"(%s) ({
  ^bb0(%c: tensor<10x100xf32>):
    %p = "stablehlo.compare"(%t, %t) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%c: tensor<10x100xf32>):
    %d = "stablehlo.dynamic_update_slice"(%c, %x, %t, %t)
        : (tensor<10x100xf32>, tensor<1x100xf32>, tensor<i32>, tensor<i32>)
        -> tensor<10x100xf32>
    "stablehlo.return"(%d) : (tensor<10x100xf32>) -> ()
  }) : (tensor<10x100xf32>) -> tensor<10x100xf32>
  %1 = scf.for %i = %c0 to %c10 step %c1 iter_args(%c = %s)
      -> tensor<10x100xf32> {
    %d = tensor.insert_slice %x into %c[%i, 0] [1, 100] [1, 1]
        : tensor<1x100xf32> into tensor<10x100xf32>
    scf.yield %d : tensor<10x100xf32>
  }
  return
}
