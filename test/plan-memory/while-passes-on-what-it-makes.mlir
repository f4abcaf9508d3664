// A buffer made in the first region of a while loop and passed on to the second
// is new in each iteration; only its result would let it leave the loop.
// RUN: remat-opt %s --remat-plan-memory --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @passed_on
// CHECK:       remat.offsets = array<i64: 0, 8>
// CHECK:       scf.while
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @passed_on(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n) : (index) -> (memref<1xindex>, index) {
    %a = memref.alloc() : memref<1xindex>
    memref.store %i, %a[%c0] : memref<1xindex>
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %a, %i : memref<1xindex>, index
  } do {
  ^bb0(%a: memref<1xindex>, %i: index):
    %v = memref.load %a[%c0] : memref<1xindex>
    %next = arith.subi %v, %c1 : index
    scf.yield %next : index
  }
  return
}

// expected-remark @+1 {{1 of 1 buffers of @leaves stay allocated}}
func.func @leaves(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %n) : (index) -> (memref<1xindex>, index) {
    // expected-note @+1 {{it leaves the iteration of a loop that makes it}}
    %a = memref.alloc() : memref<1xindex>
    memref.store %i, %a[%c0] : memref<1xindex>
    %more = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%more) %a, %i : memref<1xindex>, index
  } do {
  ^bb0(%a: memref<1xindex>, %i: index):
    %next = arith.subi %i, %c1 : index
    scf.yield %next : index
  }
  %v = memref.load %r#0[%c0] : memref<1xindex>
  return %v : index
}
