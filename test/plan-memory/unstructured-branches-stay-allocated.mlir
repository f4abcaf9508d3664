// A loop in a block that is reached by a branch: nothing is planned there, and
// nothing is lost.
// RUN: remat-opt %s --remat-plan-memory 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err

// CHECK-LABEL: @branches_around_a_loop
// CHECK:         memref.alloc() : memref<4xf32>
// CHECK:         memref.dealloc
// REMARK:      1 of 1 buffers of @branches_around_a_loop stay allocated
// REMARK:      this one: it is used where control flow is not structured
func.func @branches_around_a_loop(%x: memref<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  cf.br ^loop
^loop:
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %v = memref.load %a[%i] : memref<4xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  cf.br ^end
^end:
  memref.dealloc %a : memref<4xf32>
  return %sum : f32
}
