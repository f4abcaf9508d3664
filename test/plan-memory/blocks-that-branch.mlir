// Lives go through blocks that branch to each other.
// RUN: remat-opt %s --remat-plan-memory="alignment=16 in-place=false" --verify-diagnostics | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/random-branches.py 0 30 %t

// A loop stands between two branches; the arena is freed where the function
// returns.
// CHECK-LABEL: @around_a_loop
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}} : memref<16xi8>
// CHECK-NOT:     memref.{{alloc|dealloc}}
// CHECK:         memref.dealloc %[[A]] : memref<16xi8>
// CHECK-NEXT:    return
func.func @around_a_loop(%x: memref<4xf32>, %n: index) -> f32 {
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

// What is only on one way shares its place with what is only on the other; both
// ways end the function.
// CHECK-LABEL: @two_ways
// CHECK:         memref<16xi8>
// CHECK-COUNT-2: memref.dealloc %{{.*}} : memref<16xi8>
// CHECK-NOT:     memref.dealloc
func.func @two_ways(%x: memref<4xf32>, %c: i1) {
  cf.cond_br %c, ^one, ^other
^one:
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
^other:
  %b = memref.alloc() : memref<4xf32>
  linalg.tanh ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.tanh ins(%b : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// %a is made before the cycle and read at its begin, so it lives all around it,
// beside %b, which is new each time; the arguments pass on one of two.
// CHECK-LABEL: @around
// CHECK:         memref<48xi8>
func.func @around(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.tanh ins(%x : memref<4xf32>) outs(%d : memref<4xf32>)
  cf.br ^begin(%a, %d : memref<4xf32>, memref<4xf32>)
^begin(%p: memref<4xf32>, %q: memref<4xf32>):
  linalg.exp ins(%p : memref<4xf32>) outs(%x : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.tanh ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.tanh ins(%b : memref<4xf32>) outs(%x : memref<4xf32>)
  cf.cond_br %c, ^begin(%q, %p : memref<4xf32>, memref<4xf32>), ^end
^end:
  return
}

// What goes around a cycle that makes it would be there twice; a buffer that is
// returned, on both ways, is the caller's.
// CHECK-LABEL: @carried
// CHECK:         memref.alloc() : memref<4xf32>
// expected-remark @+1 {{1 of 1 buffers of @carried stay allocated}}
func.func @carried(%x: memref<4xf32>, %c: i1) {
  cf.br ^begin(%x : memref<4xf32>)
^begin(%p: memref<4xf32>):
  // expected-note @+1 {{it leaves the iteration of a loop that makes it}}
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%p : memref<4xf32>) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^begin(%a : memref<4xf32>), ^end
^end:
  return
}

// CHECK-LABEL: @returned
// CHECK:         memref.alloc() : memref<f32>
// expected-remark @+1 {{1 of 1 buffers of @returned stay allocated}}
func.func @returned(%c: i1) -> memref<f32> {
  // expected-note @+1 {{it is returned}}
  %a = memref.alloc() : memref<f32>
  cf.cond_br %c, ^one(%a : memref<f32>), ^other(%a : memref<f32>)
^one(%p: memref<f32>):
  return %p : memref<f32>
^other(%q: memref<f32>):
  return %q : memref<f32>
}
