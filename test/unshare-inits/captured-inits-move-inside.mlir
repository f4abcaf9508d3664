// What a loop body captures is made in the body; what the loop starts from is
// made before the loop.
// RUN: remat-opt %s --remat-unshare-inits | FileCheck %s

// CHECK-LABEL: @captured
// CHECK:       tensor.empty
// CHECK-NEXT:  %[[START:.*]] = linalg.fill
// CHECK-NEXT:  scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK-NEXT:    tensor.empty
// CHECK-NEXT:    %[[F:.*]] = linalg.fill
// CHECK-NEXT:    linalg.matmul {{.*}} outs(%[[F]]
// CHECK-NEXT:    scf.yield
func.func @captured(%n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<4x4xf32> {
    %b = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %b : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
