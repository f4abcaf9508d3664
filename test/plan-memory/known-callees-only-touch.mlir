// A call of a function that we can read, and that keeps nothing, is a use like
// any other.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

func.func private @helper(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// CHECK-LABEL: @caller
// CHECK:       remat.offsets = array<i64: {{.*}}>} : memref<192xi8>
// CHECK:       call @helper
func.func @caller(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @helper(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  call @helper(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  linalg.exp ins(%b : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
