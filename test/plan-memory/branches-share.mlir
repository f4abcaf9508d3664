// What is only in one branch may take the place of what is only in the other;
// what an `if` yields lives on behind it.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-LABEL: @branches
// CHECK:       remat.offsets = array<i64: 0, 256, 0, 256>
func.func @branches(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  return
}

// CHECK-LABEL: @yielded
// CHECK:       remat.offsets = array<i64: {{.*}}>} : memref<768xi8>
func.func @yielded(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %r = scf.if %c -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  %d = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.add ins(%d, %r : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
