// Elementwise fusion puts a recomputed op into its reader; the fence bars
// nothing there. It stops at a checkpoint: what is saved is materialised.
// RUN: remat-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops | FileCheck %s

// CHECK-LABEL: @f
// CHECK: math.exp
// CHECK: remat.checkpoint
// CHECK: math.sin
// CHECK: %[[S:.*]], %[[G:.*]] = remat.recompute
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[S]], %[[G]]
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.exp
// CHECK-NEXT: arith.mulf
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = remat.checkpoint %a : tensor<4xf32>
  %e1 = tensor.empty() : tensor<4xf32>
  %sin = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%s : tensor<4xf32>) outs(%e1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.sin %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %s1, %g1 = remat.recompute from %s after %sin : tensor<4xf32> after tensor<4xf32>
  %e2 = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%s1 : tensor<4xf32>) outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
  %e3 = tensor.empty() : tensor<4xf32>
  %c = linalg.mul ins(%b, %g1 : tensor<4xf32>, tensor<4xf32>) outs(%e3 : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
