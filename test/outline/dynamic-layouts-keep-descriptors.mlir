// Bare pointers cannot carry an offset that is known only at run time; such a
// kernel keeps full descriptors. A copy of rows that are apart becomes loops, one
// of a whole buffer stays a copy.
// RUN: remat-opt %s --remat-outline-kernels | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK:       call @[[D:kernel_copy_[0-9a-f]+]](%arg0, %arg1)
// CHECK:       call @[[S:kernel_copy_[0-9a-f]+]](%arg1, %arg2)
// CHECK:       func.func private @[[D]]({{.*}}) attributes {remat.kernel}
// CHECK-NEXT:    linalg.copy
// CHECK:       func.func private @[[S]]({{.*}}) attributes {llvm.bareptr, remat.kernel}
// CHECK-NEXT:    memref.copy
func.func @main(%a: memref<4x4xf32, strided<[8, 1], offset: ?>>,
                %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  memref.copy %a, %b : memref<4x4xf32, strided<[8, 1], offset: ?>>
                    to memref<4x4xf32>
  memref.copy %b, %c : memref<4x4xf32> to memref<4x4xf32>
  return
}
