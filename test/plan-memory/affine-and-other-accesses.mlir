// Affine accesses and others of one buffer, and of a global that may be written:
// all count, and each stays what it was.
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s

// CHECK-LABEL: @both_kinds
// CHECK:         memref<128xi8>
// CHECK:         affine.for
// CHECK:           affine.store %{{.*}}, %[[A:.*]][0]
// CHECK:           memref.store %{{.*}}, %[[A]][
// CHECK:         affine.load %[[A]][0]
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<4xi32> to memref<4xi32>
memref.global "private" @written : memref<4xi32> = dense<7>
func.func @both_kinds(%y: memref<4xi32>, %r: memref<4xi32>) -> i32 {
  %c1 = arith.constant 1 : index
  %n = arith.constant 99 : i32
  %g = memref.get_global @written : memref<4xi32>
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 4 {
    affine.store %n, %a[0] : memref<4xi32>
    memref.store %n, %a[%c1] : memref<4xi32>
    affine.store %n, %g[0] : memref<4xi32>
    memref.store %n, %g[%c1] : memref<4xi32>
  }
  linalg.copy ins(%y : memref<4xi32>) outs(%b : memref<4xi32>)
  linalg.copy ins(%b : memref<4xi32>) outs(%y : memref<4xi32>)
  %v = affine.load %a[0] : memref<4xi32>
  memref.copy %g, %r : memref<4xi32> to memref<4xi32>
  return %v : i32
}
