// An init that an op does not read is replaced by an empty where the value is
// needed later or must not be written; not where it dies, where it is donated, or
// where it is read.
// RUN: remat-opt %s --remat-unshare-inits | FileCheck %s

// CHECK-LABEL: @by_shape
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK-NEXT:    %[[A:.*]] = linalg.exp ins(%arg0 {{.*}} outs(%[[E]]
// CHECK-NEXT:    %[[B:.*]] = linalg.exp ins(%arg1 {{.*}} outs(%arg1
// CHECK-NEXT:    %[[C:.*]] = linalg.exp ins(%arg0 {{.*}} outs(%[[B]]
// CHECK-NEXT:    linalg.dot {{.*}} outs(%arg2
func.func @by_shape(%x: tensor<4xf32> {bufferization.writable = false},
                    %d: tensor<4xf32> {bufferization.writable = true},
                    %s: tensor<f32> {bufferization.writable = false})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>) {
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.exp ins(%d : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.exp ins(%x : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %t = linalg.dot ins(%a, %c : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<f32>) -> tensor<f32>
  return %a, %c, %t : tensor<4xf32>, tensor<4xf32>, tensor<f32>
}
