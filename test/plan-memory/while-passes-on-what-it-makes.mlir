// A buffer made in the first region of a while loop and passed on to the second
// is new in each iteration.
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

// What only the last iteration gives back is one buffer, too, though it leaves the
// loop; so it is in scf.for if no iteration reads what the one before gave on.
// CHECK-LABEL: @given_back
// CHECK:       remat.offsets = array<i64: 0, 8>
func.func @given_back(%n: index) -> index {
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
  %v = memref.load %r#0[%c0] : memref<1xindex>
  return %v : index
}

// CHECK-LABEL: @last_of_for
// CHECK:       remat.offsets = array<i64: {{[0-9]+}}, 8, {{[0-9]+}}, 8>
func.func @last_of_for(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<1xindex>
  memref.store %n, %s[%c0] : memref<1xindex>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%before = %s) -> memref<1xindex> {
    %a = memref.alloc() : memref<1xindex>
    memref.store %i, %a[%c0] : memref<1xindex>
    scf.yield %a : memref<1xindex>
  }
  %v = memref.load %r[%c0] : memref<1xindex>
  return %v : index
}
