// A clone's location is its original's, fused with "remat"; originals keep theirs.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..2,0,3" --mlir-print-debuginfo \
// RUN:   --mlir-print-local-scope | FileCheck %s

// CHECK: math.exp %arg0 : tensor<4xf32> loc("exp")
// CHECK: remat.recompute {{.*}} loc(fused<"remat">["exp"])
// CHECK: math.exp {{.*}} loc(fused<"remat">["exp"])
// CHECK: arith.addf {{.*}} loc("add")
func.func @located(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32> loc("exp")
  %b = math.sin %a : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = arith.addf %c, %a : tensor<4xf32> loc("add")
  return %d : tensor<4xf32>
}
