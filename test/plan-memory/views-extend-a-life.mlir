// A buffer that is read through a view of a view lives until then, so the second
// buffer does not take its place.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-LABEL: @viewed
// CHECK:       remat.offsets = array<i64: 0, 256, 256, 256>
func.func @viewed(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %s = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  %e = memref.expand_shape %s [[0, 1]] output_shape [4, 8] : memref<32xf32, strided<[1], offset: 32>> into memref<4x8xf32, strided<[8, 1], offset: 32>>
  %b = memref.alloc() : memref<64xf32>
  linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %e[%c0, %c0] : memref<4x8xf32, strided<[8, 1], offset: 32>>
  memref.store %v, %y[%c0] : memref<64xf32>
  return
}

// The same through a select: it may be either buffer.
// CHECK-LABEL: @selected
// CHECK:       remat.offsets = array<i64: 0, 256, 256, 256, 512, 256>
func.func @selected(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  %s = arith.select %c, %a, %b : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.tanh ins(%x : memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.add ins(%d, %s : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
