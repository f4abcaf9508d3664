// A body may read what stands outside of its op: constants are cloned into the
// kernel, so that different constants make different kernels; scalars and
// memrefs become arguments, each once.
// RUN: remat-opt %s --remat-outline-kernels | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK:       call @[[ONE:kernel_fill_[0-9a-f]+]](%arg0)
// CHECK:       call @[[TWO:kernel_fill_[0-9a-f]+]](%arg0)
// CHECK:       call @[[ONE]](%arg1)
// CHECK:       call @[[G:kernel_generic_[0-9a-f]+]](%arg0, %arg1, %arg2)
// CHECK:       func.func private @[[ONE]](%arg0: memref<8xf32>)
// CHECK-NEXT:    arith.constant 1.000000e+00
// CHECK:       func.func private @[[TWO]](%arg0: memref<8xf32>)
// CHECK-NEXT:    arith.constant 2.000000e+00
// CHECK:       func.func private @[[G]](%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: f32)
// CHECK:         memref.load %arg1
func.func @main(%a: memref<8xf32>, %b: memref<8xf32>, %s: f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%two : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]} outs(%a : memref<8xf32>) {
  ^bb0(%y: f32):
    %i = linalg.index 0 : index
    %x = memref.load %b[%i] : memref<8xf32>
    %p = arith.mulf %x, %s : f32
    %q = arith.addf %p, %s : f32
    linalg.yield %q : f32
  }
  return
}
