// A result that goes into a slice of the destination is computed there, whatever
// the op names as its init; the same with a destination that is memory already,
// which somebody else may share with the source: there it is copied.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s --function=tensors

// CHECK-LABEL: @tensors
// CHECK-NEXT:    memref.copy %arg1, %arg2
// CHECK-NEXT:    %[[S:.*]] = memref.subview %arg2[4] [8] [1]
// CHECK-NEXT:    linalg.add {{.*}} outs(%[[S]] :
// CHECK-NEXT:    return
func.func @tensors(%x: tensor<8xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %s = linalg.add ins(%x, %x : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %i = tensor.insert_slice %s into %y[4] [8] [1] : tensor<8xf32> into tensor<16xf32>
  return %i : tensor<16xf32>
}

// CHECK-LABEL: @memory
// CHECK-COUNT-1: memref.alloc
// CHECK-COUNT-1: memref.copy
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return
func.func @memory(%x: memref<8xf32>, %y: memref<16xf32>) {
  %a = bufferization.to_tensor %x restrict : memref<8xf32> to tensor<8xf32>
  %b = bufferization.to_tensor %y restrict writable : memref<16xf32> to tensor<16xf32>
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %s = linalg.add ins(%a, %one : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %i = tensor.insert_slice %s into %b[4] [8] [1] : tensor<8xf32> into tensor<16xf32>
  bufferization.materialize_in_destination %i in restrict writable %y : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
