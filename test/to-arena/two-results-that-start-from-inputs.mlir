// An op of two results that starts each from an argument: these stay what they
// were, also where one of them is a result, too.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @both
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xi32>, %[[A:.*]]: memref<8xf32> {{.*}}, %[[B:.*]]: memref<8xi32> {{.*}}, %[[C:.*]]: memref<8xi32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} outs(%[[A]], %[[B]] :
// CHECK:         memref.copy %[[Y]], %[[C]]
#id = affine_map<(i) -> (i)>
func.func @both(%x: tensor<8xf32>, %y: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>, tensor<8xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    outs(%x, %y : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %b: i32):
    %s = arith.addf %a, %a : f32
    %t = arith.addi %b, %b : i32
    linalg.yield %s, %t : f32, i32
  } -> (tensor<8xf32>, tensor<8xi32>)
  return %r#0, %r#1, %y : tensor<8xf32>, tensor<8xi32>, tensor<8xi32>
}
