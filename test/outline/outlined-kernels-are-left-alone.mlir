// A second run finds nothing to do; ops on tensors are left as they are.
// RUN: remat-opt %s --remat-outline-kernels -o %t
// RUN: remat-opt %t --remat-outline-kernels | diff %t -
// RUN: FileCheck %s < %t

// CHECK:     func.func @on_tensors
// CHECK:       linalg.fill
// CHECK:     func.func @in_place
// CHECK:       call @kernel_{{.*}}(%arg0) : (memref<8xf32>) -> ()
func.func @on_tensors(%a: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @in_place(%a: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
