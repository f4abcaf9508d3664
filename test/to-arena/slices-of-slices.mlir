// A slice of a slice that is all of its source: one copy of the argument, which
// must not be written, and no buffer beside the result.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @chained
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-1: memref.copy %arg0, %arg1
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return
func.func @chained(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = tensor.extract_slice %x[0] [8] [1] : tensor<8xf32> to tensor<8xf32>
  %t = tensor.extract_slice %s[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %a = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %i = tensor.insert_slice %a into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %i : tensor<8xf32>
}
