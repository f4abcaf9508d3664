// Whatever alignment is asked for, elements stand where loads of their type look
// for them.
// RUN: remat-opt %s --remat-plan-memory="alignment=1" | FileCheck %s

// CHECK: memref.alloc() {alignment = 4 : i64, remat.offsets = array<i64: {{0, 7, 8, 4|4, 7, 0, 4}}>}
func.func @f(%x: memref<7xi8>, %y: memref<1xf32>) {
  %a = memref.alloc() : memref<7xi8>
  %b = memref.alloc() : memref<1xf32>
  linalg.add ins(%x, %x : memref<7xi8>, memref<7xi8>) outs(%a : memref<7xi8>)
  linalg.exp ins(%y : memref<1xf32>) outs(%b : memref<1xf32>)
  linalg.add ins(%a, %a : memref<7xi8>, memref<7xi8>) outs(%x : memref<7xi8>)
  linalg.exp ins(%b : memref<1xf32>) outs(%y : memref<1xf32>)
  return
}
