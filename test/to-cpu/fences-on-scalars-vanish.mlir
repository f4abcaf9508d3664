// Bufferization drops what keeps or fences tensors; on scalars the pipeline does.
// RUN: remat-opt %s --remat-to-cpu | FileCheck %s
// RUN: remat-run %s --stock

// CHECK-NOT: remat.{{checkpoint|recompute}}
func.func @main(%x: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, f32) {
  %kept = remat.checkpoint %s named "scale" : f32
  %again, %after = remat.recompute from %kept after %x
      : f32 after tensor<4xf32>
  %0 = linalg.map ins(%after : tensor<4xf32>) outs(%x : tensor<4xf32>)
      (%a: f32, %old: f32) {
        %p = arith.mulf %a, %again : f32
        linalg.yield %p : f32
      }
  return %0, %again : tensor<4xf32>, f32
}
