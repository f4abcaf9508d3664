// An op that nobody knows is kept where it is, whatever its attributes look
// like, and is named once.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK:     remark: 'foo.dropout' is not known: kept, never recomputed; `remat.recomputable` says otherwise
// CHECK-NOT: remark
// CHECK:     %1 = foo.dropout (%0) : 65536 B, cost {{[0-9]+}}, fixed
// CHECK:     %2 = foo.dropout (%1) : 65536 B, cost {{[0-9]+}}, fixed
// CHECK:     %3 = foo.dropout (%2) : 65536 B returned, cost {{[0-9]+$}}
func.func @f(%x: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = "foo.dropout"(%x) : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = "foo.dropout"(%0) {seed = 7 : i64}
      : (tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = "foo.dropout"(%1) {remat.recomputable = true}
      : (tensor<128x128xf32>) -> tensor<128x128xf32>
  return %2 : tensor<128x128xf32>
}
