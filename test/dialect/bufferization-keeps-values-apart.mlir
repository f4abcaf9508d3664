// A write behind a fence to what is read later is a conflict as ever: the value
// is copied, not lost.
// RUN: remat-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// CHECK-LABEL: @f
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: linalg.exp {{.*}} outs(%[[A]]
// CHECK: %[[C:.*]] = memref.alloc
// CHECK: memref.copy %[[A]], %[[C]]
// CHECK: linalg.generic {{.*}} outs(%[[C]]
func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %a1, %x1 = remat.recompute from %a after %x : tensor<4xf32> after tensor<4xf32>
  %one = arith.constant 1.0 : f32
  %c = linalg.generic {
      indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%one : f32) outs(%a1 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %a, %c : tensor<4xf32>, tensor<4xf32>
}
