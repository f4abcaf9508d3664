// Two ops read one slice and both name it as the place of their result, which
// they do not read: each writes its own result, nothing is copied.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s

// CHECK-LABEL: @both
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return
func.func @both(%x: tensor<14xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %s = tensor.extract_slice %x[2] [10] [1] : tensor<14xf32> to tensor<10xf32>
  %a = linalg.mul ins(%s, %s : tensor<10xf32>, tensor<10xf32>) outs(%s : tensor<10xf32>) -> tensor<10xf32>
  %b = linalg.mul ins(%s, %a : tensor<10xf32>, tensor<10xf32>) outs(%s : tensor<10xf32>) -> tensor<10xf32>
  return %a, %b : tensor<10xf32>, tensor<10xf32>
}
