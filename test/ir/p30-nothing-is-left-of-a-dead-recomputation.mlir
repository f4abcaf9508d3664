// Once the reader of a recomputed value folds away, so do the clone, its fence and
// the checkpoint it started from; originals with other readers stay.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,1,4..5" | FileCheck %s --check-prefix=PLANNED
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,1,4..5" --canonicalize | FileCheck %s
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,0,1,4..5" --canonicalize | FileCheck %s

// PLANNED: remat.checkpoint
// PLANNED: remat.recompute

// CHECK-LABEL: @folds
// CHECK-NEXT:  %[[A:.*]] = arith.muli %arg0, %arg0
// CHECK-NEXT:  %[[B:.*]] = arith.addi %[[A]], %arg0
// CHECK-NEXT:  %[[C:.*]] = arith.muli %[[B]], %[[A]]
// CHECK-NEXT:  %[[D:.*]] = arith.xori %[[C]], %arg0
// CHECK-NEXT:  return %[[D]]
func.func @folds(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %a = arith.muli %x, %x : tensor<4xi32>
  %b = arith.addi %a, %x : tensor<4xi32>
  %c = arith.muli %b, %a : tensor<4xi32>
  %d = arith.xori %c, %x : tensor<4xi32>
  %e = arith.muli %b, %zero : tensor<4xi32>
  %f = arith.addi %d, %e : tensor<4xi32>
  return %f : tensor<4xi32>
}
