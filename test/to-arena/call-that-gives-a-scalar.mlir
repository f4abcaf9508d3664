// A callee that takes a tensor and gives a scalar; its temporary is in the
// caller's arena.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s

// CHECK-LABEL: @main
// CHECK:         memref.alloc() {{.*}} remat.offsets = array<i64: 0, 4>
// CHECK-NOT:     call
// CHECK:         return %{{.*}} : f32
func.func private @total(%x: tensor<8xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<8xf32>) outs(%f : tensor<f32>) dimensions = [0]
  %v = tensor.extract %r[] : tensor<f32>
  return %v : f32
}
func.func @main(%x: tensor<8xf32>) -> f32 {
  %a = func.call @total(%x) : (tensor<8xf32>) -> f32
  return %a : f32
}
