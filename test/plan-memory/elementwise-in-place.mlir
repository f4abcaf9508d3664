// An elementwise result takes the place of an operand of its type that dies
// there, along a whole chain; both are then one value, so that the op is seen to
// work in place.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s --check-prefix=APART

// CHECK-LABEL: @chain
// CHECK:         remat.offsets = array<i64: 0, 256>} : memref<256xi8>
// CHECK:         %[[A:.*]] = memref.view
// CHECK-NOT:     memref.view
// CHECK:         linalg.exp ins(%[[A]] : memref<64xf32>) outs(%[[A]] :
// CHECK:         linalg.generic {{.*}} ins(%arg0, %[[A]] : memref<64xf32>, memref<64xf32>) outs(%[[A]] :
// APART-LABEL: @chain
// APART:         memref<512xi8>
#id = affine_map<(i) -> (i)>
func.func @chain(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  }
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// One of two operands that die; the second result has no place to take.
// CHECK-LABEL: @two_die
// CHECK:         memref<512xi8>
// APART-LABEL: @two_die
// APART:         memref<768xi8>
func.func @two_die(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// What is made in a loop may stay in place within one iteration.
// CHECK-LABEL: @in_a_loop
// CHECK:         memref<256xi8>
// APART-LABEL: @in_a_loop
// APART:         memref<512xi8>
func.func @in_a_loop(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  }
  return
}

// A reshape of a whole buffer is the buffer.
// CHECK-LABEL: @through_a_reshape
// CHECK:         remat.offsets = array<i64: 0, 256>} : memref<256xi8>
// APART-LABEL: @through_a_reshape
// APART:         memref<512xi8>
func.func @through_a_reshape(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %wide = memref.expand_shape %a [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  linalg.exp ins(%wide : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  %flat = memref.collapse_shape %b [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  linalg.tanh ins(%flat : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
