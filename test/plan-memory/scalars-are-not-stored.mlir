// A filled buffer is its scalar where all who read it can take that; a constant
// whose elements are equal is not read where its scalar can be.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory | remat-opt --remat-plan-memory | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[NOWHERE:.*]] = affine_map<(d0, d1) -> ()>

// CHECK-NOT: memref.global
memref.global "private" constant @two : memref<8xf32> = dense<2.0>

// Read as it is, twice by one op, through a view, by a load and by a copy.
// CHECK-LABEL: @filled(
// CHECK-SAME:    %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<8xf32>, %[[S:.*]]: f32
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {indexing_maps = [#[[ID]], #[[NOWHERE]], #[[NOWHERE]], #[[ID]]]
// CHECK-SAME:      ins(%[[X]], %[[S]], %[[S]] : memref<4x8xf32>, f32, f32)
// CHECK:         linalg.fill ins(%[[S]] : f32) outs(%[[Y]]
// CHECK:         return %[[S]]
func.func @filled(%x: memref<4x8xf32>, %y: memref<8xf32>, %s: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%a : memref<8xf32>)
  %b = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %a, %a : memref<4x8xf32>, memref<8xf32>, memref<8xf32>) outs(%x : memref<4x8xf32>) {
    ^bb0(%u: f32, %v: f32, %w: f32, %o: f32):
      %0 = arith.mulf %u, %v : f32
      %1 = arith.addf %0, %w : f32
      linalg.yield %1 : f32
  }
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  %c0 = arith.constant 0 : index
  %l = memref.load %b[%c0, %c0] : memref<2x4xf32>
  memref.dealloc %a : memref<8xf32>
  return %l : f32
}

// CHECK-LABEL: @constant
// CHECK-NOT:     memref.get_global
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[TWO]] : memref<4x8xf32>, f32)
func.func @constant(%x: memref<4x8xf32>) {
  %a = memref.get_global @two : memref<8xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %a : memref<4x8xf32>, memref<8xf32>) outs(%x : memref<4x8xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %0 = arith.mulf %u, %v : f32
      linalg.yield %0 : f32
  }
  return
}

// Read before the fill, in an earlier iteration; written by another op; the only
// one to say how far a loop goes; read as elements of another type.
// CHECK-LABEL: @stored
// CHECK:         remat.offsets = array<i64: {{[0-9]+, 32, [0-9]+, 32, [0-9]+, 32, [0-9]+, 32}}>
func.func @stored(%x: memref<8xf32>, %y: memref<f32>, %s: f32, %t: i8, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
    linalg.fill ins(%s : f32) outs(%a : memref<8xf32>)
  }
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%b : memref<8xf32>)
  memref.store %s, %b[%c1] : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%c : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%c : memref<8xf32>) outs(%y : memref<f32>) {
    ^bb0(%u: f32, %o: f32):
      %0 = arith.addf %u, %o : f32
      linalg.yield %0 : f32
  }
  %d = memref.alloc() : memref<32xi8>
  linalg.fill ins(%t : i8) outs(%d : memref<32xi8>)
  %v = memref.view %d[%c0][] : memref<32xi8> to memref<8xf32>
  memref.copy %v, %x : memref<8xf32> to memref<8xf32>
  return
}
