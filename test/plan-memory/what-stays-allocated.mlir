// What cannot be planned stays, and a remark says why.
// RUN: remat-opt %s --remat-plan-memory --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @returned
// CHECK:       memref.alloc() : memref<4xf32>
// expected-remark @+1 {{remat-plan-memory: 1 of 1 buffers of @returned stay allocated}}
func.func @returned() -> memref<4xf32> {
  // expected-note @+1 {{this one: it is returned}}
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

// CHECK-LABEL: @dynamic
// CHECK:       memref.alloc(%arg0)
// CHECK:       memref.dealloc
// expected-remark @+1 {{1 of 1 buffers of @dynamic stay allocated}}
func.func @dynamic(%n: index) {
  // expected-note @+1 {{its size is known at run time only}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

func.func private @stranger(memref<4xf32>)

// CHECK-LABEL: @passed_on
// CHECK:       memref.alloc() : memref<4xf32>
// expected-remark @+1 {{1 of 1 buffers of @passed_on stay allocated}}
func.func @passed_on() {
  // expected-note @+1 {{it is passed to a call that may keep it}}
  %a = memref.alloc() : memref<4xf32>
  func.call @stranger(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: @carried
// CHECK:       scf.for
// CHECK:         memref.alloc() : memref<4xf32>
// expected-remark @+1 {{1 of 2 buffers of @carried stay allocated}}
func.func @carried(%n: index, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<4xf32> {
    // expected-note @+1 {{it leaves the iteration of a loop that makes it}}
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%p : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  memref.copy %r, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

// CHECK-LABEL: @at_once
// CHECK:       scf.parallel
// CHECK:         memref.alloc() : memref<4xf32>
// expected-remark @+1 {{1 of 1 buffers of @at_once stay allocated}}
func.func @at_once(%n: index, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-note @+1 {{several iterations that make one may run at once}}
    %b = memref.alloc() : memref<4xf32>
    linalg.exp ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
  }
  return
}

// -----

// CHECK-LABEL: @unknown_branch
// CHECK:       memref.alloc() : memref<4xf32>
// CHECK:       memref.alloc() : memref<4xf32>
// CHECK:       memref.dealloc
// expected-remark @+1 {{2 of 2 buffers of @unknown_branch stay allocated}}
func.func @unknown_branch(%c: i1) {
  // expected-note @+1 {{control flow cannot be followed}}
  %a = memref.alloc() : memref<4xf32>
  "test.branch"(%c)[^some, ^end] : (i1) -> ()
^some:
  // expected-note @+1 {{control flow cannot be followed}}
  %b = memref.alloc() : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  "test.branch"(%c)[^some, ^end] : (i1) -> ()
^end:
  return
}

// -----

// CHECK-LABEL: @kept
// expected-remark @+1 {{1 of 1 buffers of @kept stay allocated}}
func.func @kept() {
  // expected-note @+1 {{it is given to an op that may keep it}}
  %a = memref.alloc() : memref<4xf32>
  "test.keep"(%a) : (memref<4xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: @freed_together
// CHECK-COUNT-2: memref.alloc() : memref<4xf32>
// CHECK:         memref.dealloc
// expected-remark @+1 {{2 of 2 buffers of @freed_together stay allocated}}
func.func @freed_together(%c: i1) -> memref<4xf32> {
  // expected-note @+1 {{it is returned}}
  %a = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{it is freed together with one that stays}}
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  return %a : memref<4xf32>
}
