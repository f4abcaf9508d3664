// A call is kept, and costs and holds what its function does; recursion ends.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: func.call (%0) : 400 B, cost 300, workspace 800, fixed
func.func @f(%x: tensor<100xf32>) {
  %0 = call @g(%x) : (tensor<100xf32>) -> tensor<100xf32>
  return
}
func.func private @g(%x: tensor<100xf32>) -> tensor<100xf32> {
  %a = math.exp %x {remat.cost = 100 : i64} : tensor<100xf32>
  %b = math.log %x {remat.cost = 100 : i64} : tensor<100xf32>
  %c = arith.addf %a, %b {remat.cost = 100 : i64} : tensor<100xf32>
  return %c : tensor<100xf32>
}
// CHECK: func.call
func.func @h() {
  call @h() : () -> ()
  return
}
