// A buffer on the stack inside of a loop would grow the stack each time: it is in
// the arena, once. One of memrefs is left where it is.
// RUN: remat-opt %s --remat-plan-memory 2>/dev/null | FileCheck %s

// CHECK-LABEL: @in_a_loop
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         memref.alloca() : memref<2xmemref<4xf32>>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloca
// CHECK:         return
func.func @in_a_loop(%x: memref<4xf32>, %n: index, %z: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xmemref<4xf32>>
  memref.store %x, %m[%c0] : memref<2xmemref<4xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloca() : memref<4xf32>
    %v = vector.transfer_read %x[%c0], %z : memref<4xf32>, vector<4xf32>
    vector.transfer_write %v, %a[%c0] : vector<4xf32>, memref<4xf32>
    linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  }
  return
}
