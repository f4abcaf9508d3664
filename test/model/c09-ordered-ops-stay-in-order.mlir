// Ops that hand on a token are kept in their places, like all that is unknown;
// the token takes no room.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK: %2, %3 = foo.ordered (%0, %1) : 0 B, 256 B, cost {{[0-9]+}}, fixed
// CHECK: %4, %5 = foo.ordered (%2, %3) : 0 B, 256 B, cost {{[0-9]+}}, fixed
func.func @f(%t0: !foo.token, %x: tensor<64xf32>) {
  %0:2 = "foo.ordered"(%t0, %x)
      : (!foo.token, tensor<64xf32>) -> (!foo.token, tensor<64xf32>)
  %1:2 = "foo.ordered"(%0#0, %0#1)
      : (!foo.token, tensor<64xf32>) -> (!foo.token, tensor<64xf32>)
  return
}
