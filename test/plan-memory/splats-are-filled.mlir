// A constant whose elements are all equal is not copied but filled in, and not
// stored if nobody else reads it.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-NOT:   @zeros
// CHECK:       memref.global "private" constant @ones
// CHECK:       memref.global "private" constant @steps
// CHECK:       memref.global "private" @written
memref.global "private" constant @zeros : memref<8xf32> = dense<0.0>
memref.global "private" constant @ones : memref<8xf32> = dense<1.0>
memref.global "private" constant @steps : memref<2xi32> = dense<[1, 2]>
memref.global "private" @written : memref<8xf32> = dense<0.0>

// CHECK-LABEL: @filled
// CHECK:         %[[C:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    linalg.fill ins(%[[C]] : f32) outs(%arg0 :
// CHECK-COUNT-2: memref.copy
func.func @filled(%x: memref<8xf32>, %y: memref<2xi32>, %z: memref<8xf32>) {
  %0 = memref.get_global @zeros : memref<8xf32>
  memref.copy %0, %x : memref<8xf32> to memref<8xf32>
  %1 = memref.get_global @ones : memref<8xf32>
  linalg.exp ins(%1 : memref<8xf32>) outs(%z : memref<8xf32>)
  %2 = memref.get_global @steps : memref<2xi32>
  memref.copy %2, %y : memref<2xi32> to memref<2xi32>
  %3 = memref.get_global @written : memref<8xf32>
  memref.copy %3, %z : memref<8xf32> to memref<8xf32>
  return
}
