// %a is made before the loop and read at the begin of each iteration, so it
// lives through all of the loop; %b and %c are new in each iteration and share.
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s

// CHECK-LABEL: @loop
// CHECK:       remat.offsets = array<i64: {{[0-9]+}}, 256, [[B:[0-9]+]], 256, {{[0-9]+}}, 256, [[B]], 256>} : memref<768xi8>
func.func @loop(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    %c = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
    %d = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%c : memref<64xf32>) outs(%d : memref<64xf32>)
    memref.copy %d, %y : memref<64xf32> to memref<64xf32>
  }
  return
}

// An inner loop counts for a buffer of the outer body.
// CHECK-LABEL: @inner
// CHECK:       remat.offsets = {{.*}} : memref<512xi8>
func.func @inner(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.for %j = %c0 to %n step %c1 {
      linalg.add ins(%a, %y : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
      %b = memref.alloc() : memref<64xf32>
      linalg.exp ins(%y : memref<64xf32>) outs(%b : memref<64xf32>)
      memref.copy %b, %y : memref<64xf32> to memref<64xf32>
    }
  }
  return
}

// What a loop carries from before may be either of two buffers in any iteration.
// CHECK-LABEL: @swapped
// CHECK:       remat.offsets = {{.*}} : memref<768xi8>
func.func @swapped(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    %c = memref.alloc() : memref<64xf32>
    linalg.exp ins(%p : memref<64xf32>) outs(%c : memref<64xf32>)
    memref.copy %c, %p : memref<64xf32> to memref<64xf32>
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  memref.copy %r#0, %y : memref<64xf32> to memref<64xf32>
  return
}
