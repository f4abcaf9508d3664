// A value returned twice is computed once and copied once.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @twice
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>{{.*}}, %[[R:.*]]: memref<4xf32>{{.*}}, %[[S:.*]]: memref<4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.exp ins(%[[X]] : {{.*}}) outs(%[[A:.*]] : memref<4xf32>)
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK-NEXT:    return
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}
