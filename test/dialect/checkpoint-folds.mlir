// A checkpoint that says nothing on another is the other; one that says
// something stays.
// RUN: remat-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @silent
// CHECK-NEXT: %[[A:.*]] = remat.checkpoint %arg0 named "a"
// CHECK-NEXT: return %[[A]]
func.func @silent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = remat.checkpoint %x named "a" : tensor<4xf32>
  %b = remat.checkpoint %a : tensor<4xf32>
  return %b : tensor<4xf32>
}

// CHECK-LABEL: @named
// CHECK-COUNT-2: remat.checkpoint
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = remat.checkpoint %x named "a" : tensor<4xf32>
  %b = remat.checkpoint %a policy save : tensor<4xf32>
  return %b : tensor<4xf32>
}
