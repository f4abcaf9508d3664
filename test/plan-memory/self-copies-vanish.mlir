// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-LABEL: @self
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @self(%x: memref<4xf32>) {
  memref.copy %x, %x : memref<4xf32> to memref<4xf32>
  return
}
