// Two matmuls that start from one fill get a fill and an empty each, right
// before them.
// RUN: remat-opt %s --remat-unshare-inits | FileCheck %s

// CHECK-LABEL: @shared
// CHECK:       %[[E1:.*]] = tensor.empty()
// CHECK-NEXT:  %[[F1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
// CHECK-NEXT:  %[[A:.*]] = linalg.matmul {{.*}} outs(%[[F1]]
// CHECK-NEXT:  %[[E2:.*]] = tensor.empty()
// CHECK-NEXT:  %[[F2:.*]] = linalg.fill {{.*}} outs(%[[E2]]
// CHECK-NEXT:  linalg.matmul ins(%[[A]], %{{.*}} outs(%[[F2]]
func.func @shared(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}

// Both operands of one user count.
// CHECK-LABEL: @twice_in_one_user
// CHECK-COUNT-2: linalg.fill
// CHECK:         linalg.add
// CHECK-NOT:     linalg.fill
func.func @twice_in_one_user(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.add ins(%x, %f : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
