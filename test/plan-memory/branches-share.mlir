// Branches take the maximum: what is only in one may take the place of what is
// only in another, and what all of them make and yield is one buffer, with the largest alignment.
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
// CHECK:       alignment = 128 : i64, remat.offsets = array<i64: {{0, 256, 256, 256|256, 256, 0, 256}}>} : memref<512xi8>
func.func @yielded(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %r = scf.if %c -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
    linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  %d = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.add ins(%d, %r : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// In the second case two buffers are needed, one of which all cases yield.
// CHECK-LABEL: @cases
// CHECK:       remat.offsets = array<i64: {{.*}}>} : memref<512xi8>
// CHECK:       scf.index_switch
// CHECK:       linalg.exp {{.*}} outs(%[[ONE:.*]] : memref<64xf32>)
// CHECK:       case 1
// CHECK:       linalg.exp ins(%[[T:.*]] : memref<64xf32>) outs(%[[ONE]] :
// CHECK:       default
// CHECK:       linalg.tanh {{.*}} outs(%[[ONE]] :
// CHECK:       linalg.exp ins(%[[ONE]] :
func.func @cases(%x: memref<64xf32>, %i: index) {
  %r = scf.index_switch %i -> memref<64xf32>
  case 0 {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  case 1 {
    %t = memref.alloc() : memref<64xf32>
    %a = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%x : memref<64xf32>) outs(%t : memref<64xf32>)
    linalg.exp ins(%t : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.exp ins(%t : memref<64xf32>) outs(%x : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  default {
    %a = memref.alloc() : memref<64xf32>
    linalg.tanh ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// One branch yields what stands outside, so the other's buffer is its own; two
// results of one branch are two buffers.
// CHECK-LABEL: @not_all_make_it
// CHECK:       remat.offsets = array<i64: 0, 256>
func.func @not_all_make_it(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %r = scf.if %c -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a : memref<64xf32>
  } else {
    scf.yield %x : memref<64xf32>
  }
  linalg.exp ins(%r : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// CHECK-LABEL: @one_twice
// CHECK:       remat.offsets = array<i64: {{.*}}>} : memref<768xi8>
func.func @one_twice(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  %r:2 = scf.if %c -> (memref<64xf32>, memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    scf.yield %a, %a : memref<64xf32>, memref<64xf32>
  } else {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
    scf.yield %a, %b : memref<64xf32>, memref<64xf32>
  }
  linalg.add ins(%r#0, %r#1 : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
