// Where the result must not take its operand's place: read elsewhere than
// written, reached a second time through a view or by the body, read later,
// reduced, of another type, read again by the next iteration.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: @turned
// CHECK:         memref<512xi8>
func.func @turned(%x: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  linalg.exp ins(%b : memref<8x8xf32>) outs(%x : memref<8x8xf32>)
  return
}

// CHECK-LABEL: @twice_and_turned
// CHECK:         memref<512xi8>
func.func @twice_and_turned(%x: memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
    ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  linalg.exp ins(%b : memref<8x8xf32>) outs(%x : memref<8x8xf32>)
  return
}

// CHECK-LABEL: @through_a_view
// CHECK:         memref<512xi8>
func.func @through_a_view(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %v = memref.subview %a[63] [64] [-1] : memref<64xf32> to memref<64xf32, strided<[-1], offset: 63>>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.add ins(%a, %v : memref<64xf32>, memref<64xf32, strided<[-1], offset: 63>>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// CHECK-LABEL: @by_the_body
// CHECK:         memref<512xi8>
func.func @by_the_body(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%p: f32, %q: f32):
    %l = memref.load %a[%c0] : memref<64xf32>
    %s = arith.addf %p, %l : f32
    linalg.yield %s : f32
  }
  linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// CHECK-LABEL: @read_later
// CHECK:         memref<512xi8>
func.func @read_later(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// CHECK-LABEL: @other_type
// CHECK:         memref<512xi8>
func.func @other_type(%x: memref<64xf32>, %y: memref<64xi32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xi32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<64xf32>) outs(%b : memref<64xi32>) {
  ^bb0(%p: f32, %q: i32):
    %s = arith.fptosi %p : f32 to i32
    linalg.yield %s : i32
  }
  linalg.copy ins(%b : memref<64xi32>) outs(%y : memref<64xi32>)
  return
}

// CHECK-LABEL: @next_iteration
// CHECK:         memref<512xi8>
func.func @next_iteration(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  }
  return
}
