// Each memory space has an arena; a buffer's own larger alignment is kept.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-LABEL: @spaces
// CHECK-DAG:   memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<64xi8>
// CHECK-DAG:   memref.alloc() {alignment = 256 : i64, {{.*}}} : memref<256xi8, 1>
// CHECK:       memref.view {{.*}} : memref<64xi8> to memref<4xf32>
// CHECK:       memref.view {{.*}} : memref<256xi8, 1> to memref<4xf32, 1>
func.func @spaces(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() {alignment = 256 : i64} : memref<4xf32, 1>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, 1>
  memref.copy %b, %x : memref<4xf32, 1> to memref<4xf32>
  return
}
