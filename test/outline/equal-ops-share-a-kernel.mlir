// Ops that do the same share one function, at any depth; scf stays in main. The
// alias of a map is not part of the key: both generics use one kernel.
// RUN: remat-opt %s --remat-outline-kernels | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT:   linalg.
// CHECK:       call @[[K:kernel_generic_[0-9a-f]+]](%arg0, %arg1)
// CHECK:       scf.for
// CHECK-NEXT:    call @[[K]](%arg1, %arg2)
// CHECK:       call @[[M:kernel_matmul_[0-9a-f]+]](%arg0, %arg1, %arg2)
// CHECK:       return
// CHECK:       func.func private @[[K]](%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>) attributes {llvm.bareptr, remat.kernel}
// CHECK:         linalg.generic
// CHECK:       func.func private @[[M]]
// CHECK-NOT:   func.func
#id = affine_map<(d0, d1) -> (d0, d1)>
#same = affine_map<(i, j) -> (i, j)>
func.func @main(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>,
                %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.generic {indexing_maps = [#id, #id],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  }
  scf.for %i = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [#same, #same],
                    iterator_types = ["parallel", "parallel"]}
        ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %e = math.exp %x : f32
      linalg.yield %e : f32
    }
  }
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>)
                outs(%c : memref<4x4xf32>)
  return
}
