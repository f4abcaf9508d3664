// A buffer whose last use is to be copied is computed where it is copied to: a
// result, a part of a larger buffer, all parts of a concatenation, the inside of
// a padded tensor whose fill moves up, one slice an iteration.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="forward=false" | FileCheck %s --check-prefix=COPIED

// CHECK-LABEL: @to_result
// CHECK-NEXT:    linalg.exp {{.*}} outs(%arg1 :
// CHECK-NEXT:    return
// COPIED-LABEL: @to_result
// COPIED:        memref.copy
func.func @to_result(%x: memref<8xf32>, %r: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// The second part is computed first; each is seen in another shape.
// CHECK-LABEL: @concatenated
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         %[[B:.*]] = memref.subview %arg1[0, 8]
// CHECK:         %[[C:.*]] = memref.expand_shape %[[B]]
// CHECK-NEXT:    linalg.exp {{.*}} outs(%[[C]] : memref<4x2x4xf32, strided<[16, 4, 1], offset: 8>>)
// CHECK:         %[[A:.*]] = memref.subview %arg1[0, 0]
// CHECK:         linalg.tanh
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @concatenated(%x: memref<4x2x4xf32>,
                        %r: memref<4x16xf32> {bufferize.result}) {
  %b = memref.alloc() : memref<4x2x4xf32>
  linalg.exp ins(%x : memref<4x2x4xf32>) outs(%b : memref<4x2x4xf32>)
  %a = memref.alloc() : memref<4x2x4xf32>
  linalg.tanh ins(%x : memref<4x2x4xf32>) outs(%a : memref<4x2x4xf32>)
  %p = memref.collapse_shape %a [[0], [1, 2]] : memref<4x2x4xf32> into memref<4x8xf32>
  %q = memref.collapse_shape %b [[0], [1, 2]] : memref<4x2x4xf32> into memref<4x8xf32>
  %l = memref.subview %r[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  memref.copy %p, %l : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  %h = memref.subview %r[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %q, %h : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  return
}

// CHECK-LABEL: @padded
// CHECK:         linalg.fill {{.*}} outs(%arg1 :
// CHECK:         linalg.exp
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @padded(%x: memref<4xf32>, %r: memref<6xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.map outs(%r : memref<6xf32>) (%old: f32) {
    linalg.yield %zero : f32
  }
  %m = memref.subview %r[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  return
}

// What gives a value dimensions of size 1 is a copy, too. In a loop the value
// may have other readers.
// CHECK-LABEL: @stacked
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = memref.subview %arg1[%{{.*}}, 0] [1, 8]
// CHECK:           %[[V:.*]] = memref.collapse_shape %[[S]]
// CHECK-NEXT:      linalg.exp {{.*}} outs(%[[V]] : memref<8xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:      linalg.add ins(%arg0, %[[V]]
// CHECK-NEXT:    }
#one = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
func.func @stacked(%x: memref<8xf32>, %r: memref<4x8xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    linalg.add ins(%x, %a : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
    %b = memref.alloc() : memref<1x8xf32>
    linalg.generic {indexing_maps = [#one, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<8xf32>) outs(%b : memref<1x8xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    }
    %s = memref.subview %r[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %b, %s : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}

// The op that makes the buffer may read what it is copied over, at equal indices.
// CHECK-LABEL: @added_to
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         linalg.add ins(%arg0, %arg1 : {{.*}} outs(%arg1 :
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @added_to(%x: memref<8xf32>, %r: memref<8xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%r : memref<8xf32>)
  %a = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %r : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  return
}
