// Lowered to nothing, fences and checkpoints stand for their operands, in regions too.
// RUN: remat-opt %s --remat-lower | FileCheck %s

// CHECK-LABEL: @f
// CHECK-NOT:   remat.checkpoint
// CHECK-NOT:   remat.recompute
// CHECK:       %[[A:.*]] = math.exp %arg0
// CHECK-NEXT:  %[[D:.*]] = math.sin %[[A]]
// CHECK-NEXT:  scf.if
// CHECK-NEXT:    %[[B:.*]] = math.cos %[[A]]
// CHECK-NEXT:    arith.mulf %[[B]], %[[D]]
func.func @f(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %s = remat.checkpoint %a named "a" : tensor<4xf32>
  %d = math.sin %s : tensor<4xf32>
  %r = scf.if %p -> tensor<4xf32> {
    %s1, %d1 = remat.recompute from %s after %d : tensor<4xf32> after tensor<4xf32>
    %b = math.cos %s1 : tensor<4xf32>
    %c = arith.mulf %b, %d1 : tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  } else {
    scf.yield %d : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
