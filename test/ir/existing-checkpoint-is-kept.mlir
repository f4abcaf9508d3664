// A checkpoint of the input serves as the one on a saved value, with its name.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..4,2,5" | FileCheck %s

// CHECK:     %[[S:.*]] = remat.checkpoint %{{.*}} named "block/x"
// CHECK-NOT: remat.checkpoint
// CHECK:     remat.recompute from %[[S]] after
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %s = remat.checkpoint %a named "block/x" : tensor<4xf32>
  %b = math.sin %s : tensor<4xf32>
  %c = math.cos %b : tensor<4xf32>
  %d = math.tanh %c : tensor<4xf32>
  %e = arith.addf %d, %b : tensor<4xf32>
  return %e : tensor<4xf32>
}
