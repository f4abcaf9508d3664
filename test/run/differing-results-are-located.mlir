// Results that differ, be it in the bits of a NaN alone, are named: which one,
// where, and both values.
// RUN: split-file %s %t
// RUN: not remat-run %t/a.mlir %t/b.mlir | FileCheck %s --check-prefix=TEXT
// RUN: not remat-run %t/a.mlir %t/b.mlir --json | FileCheck %s --check-prefix=JSON

// TEXT: 4 elements of the results are NaN
// TEXT: results differ (first and second): result 1 at element 2 is nan (0x7fc00000) and nan (0x7fc00001); 1 elements in all

// JSON:      "equal":{{.*}}false
// JSON:      "result":{{.*}}1
// JSON-NEXT: "index":{{.*}}2
// JSON-NEXT: "first":{{.*}}"nan (0x7fc00000)"
// JSON-NEXT: "second":{{.*}}"nan (0x7fc00001)"
// JSON-NEXT: "elements":{{.*}}1

//--- a.mlir
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %0 = arith.constant dense<0x7fc00000> : tensor<4xf32>
  return %x, %0 : tensor<2xf32>, tensor<4xf32>
}
//--- b.mlir
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %0 = arith.constant dense<[0x7fc00000, 0x7fc00000, 0x7fc00001, 0x7fc00000]>
      : tensor<4xf32>
  return %x, %0 : tensor<2xf32>, tensor<4xf32>
}
