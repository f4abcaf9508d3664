// The output's contiguous dimension becomes the innermost loop if every input
// walks along it in its last dimension; each sum keeps its order. It does not
// where an input is strided there, or where the dimension is short.
// RUN: remat-opt %s --pass-pipeline="builtin.module(func.func(remat-order-loops))" | FileCheck %s

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>

// CHECK-LABEL: @matmul
// CHECK:       linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "reduction", "parallel"]}
func.func @matmul(%a: memref<8x4xf32>, %b: memref<4x32xf32>,
                  %c: memref<8x32xf32>) {
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x32xf32>)
                outs(%c : memref<8x32xf32>)
  return
}

// CHECK-LABEL: @short
// CHECK:       linalg.matmul
func.func @short(%a: memref<8x4xf32>, %b: memref<4x2xf32>,
                 %c: memref<8x2xf32>) {
  linalg.matmul ins(%a, %b : memref<8x4xf32>, memref<4x2xf32>)
                outs(%c : memref<8x2xf32>)
  return
}

// CHECK-LABEL: @strided
// CHECK:       iterator_types = ["parallel", "parallel", "reduction"]
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (j, k)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @strided(%a: memref<8x4xf32>, %b: memref<32x4xf32>,
                   %c: memref<8x32xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x4xf32>, memref<32x4xf32>)
      outs(%c : memref<8x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK-LABEL: @column_sums
// CHECK:       iterator_types = ["reduction", "parallel"]
func.func @column_sums(%a: memref<8x32xf32>, %c: memref<32xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<8x32xf32>)
                               outs(%c : memref<32xf32>) dimensions = [0]
  linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>,
                                   affine_map<(j, i) -> (j)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<8x32xf32>) outs(%c : memref<32xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %z, %x : f32
    linalg.yield %s : f32
  }
  return
}
