// What an execute_region makes and gives back lives on behind it; what it only
// uses inside does not.
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s

// CHECK-LABEL: @given_back
// CHECK:         remat.offsets = array<i64: [[A:[0-9]+]], 256, [[B:[0-9]+]], 256, [[A]], 256>} : memref<512xi8>
func.func @given_back(%x: memref<64xf32>) {
  %r = scf.execute_region -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.tanh ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%r : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
