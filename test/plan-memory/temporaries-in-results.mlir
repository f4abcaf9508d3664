// With scratch=results a temporary that is dead before a result is first touched
// lies in it; so does one that the result's op overwrites in place. What is
// alive later or larger goes to the arena. Several lie side by side.
// RUN: remat-opt %s --remat-plan-memory="scratch=results" | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="scratch=results in-place=false" | FileCheck %s --check-prefix=APART
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s --check-prefix=NONE
// RUN: not remat-opt %s --remat-plan-memory="scratch=all" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: @smaller(
// CHECK-SAME:    %[[X:.*]]: memref<16xf32>, %[[R:.*]]: memref<64xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<64xf32> to memref<4x4xf32>
// CHECK:         linalg.exp {{.*}} outs(%[[A]]
// NONE-LABEL:  @smaller
// NONE:          memref.alloc
// WRONG:       all
func.func @smaller(%x: memref<16xf32>, %r: memref<64xf32> {bufferize.result}) {
  %v = memref.expand_shape %x [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%v : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%v : memref<4x4xf32>)
  %c = arith.constant 0.0 : f32
  linalg.fill ins(%c : f32) outs(%r : memref<64xf32>)
  return
}

// CHECK-LABEL: @in_place(
// CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[R:.*]]: memref<64xf32>
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<64xf32>) outs(%[[R]] :
// CHECK-NEXT:    linalg.tanh ins(%[[R]] : memref<64xf32>) outs(%[[R]] :
// APART-LABEL: @in_place
// APART:         memref<256xi8>
func.func @in_place(%x: memref<64xf32>, %r: memref<64xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.tanh ins(%a : memref<64xf32>) outs(%r : memref<64xf32>)
  return
}

// CHECK-LABEL: @not_there
// CHECK:         memref<768xi8>
func.func @not_there(%x: memref<64xf32>, %y: memref<64xi32>,
                     %r: memref<64xf32> {bufferize.result},
                     %s: memref<32xf32> {bufferize.result}) {
  %late = memref.alloc() : memref<64xf32>
  %other = memref.alloc() : memref<64xi32>
  %large = memref.alloc() : memref<64xf32>
  %zero = arith.constant 0.0 : f32
  linalg.exp ins(%x : memref<64xf32>) outs(%late : memref<64xf32>)
  linalg.exp ins(%x : memref<64xf32>) outs(%r : memref<64xf32>)
  linalg.copy ins(%y : memref<64xi32>) outs(%other : memref<64xi32>)
  linalg.exp ins(%x : memref<64xf32>) outs(%large : memref<64xf32>)
  linalg.exp ins(%large : memref<64xf32>) outs(%x : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<32xf32>)
  linalg.copy ins(%other : memref<64xi32>) outs(%y : memref<64xi32>)
  linalg.exp ins(%late : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}

// A result that a loop touches is taken for all of it.
// CHECK-LABEL: @by_a_loop
// CHECK:         memref<256xi8>
func.func @by_a_loop(%x: memref<64xf32>, %n: index,
                     %r: memref<64xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
    linalg.exp ins(%x : memref<64xf32>) outs(%r : memref<64xf32>)
  }
  return
}

// A result that is given away may be read by whoever has it.
// CHECK-LABEL: @escapes
// CHECK:         memref<256xi8>
func.func private @keep(memref<64xf32>)
func.func @escapes(%x: memref<64xf32>, %r: memref<64xf32> {bufferize.result}) {
  call @keep(%r) : (memref<64xf32>) -> ()
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  linalg.exp ins(%x : memref<64xf32>) outs(%r : memref<64xf32>)
  return
}

// CHECK-LABEL: @side_by_side(
// CHECK-NOT:     memref.alloc
// CHECK:         memref.reinterpret_cast %arg1 to offset: [0], sizes: [16], strides: [1]
// CHECK:         memref.reinterpret_cast %arg1 to offset: [16], sizes: [4, 4], strides: [4, 1] : memref<64xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
func.func @side_by_side(%x: memref<16xf32>, %r: memref<64xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %c = memref.collapse_shape %b [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.tanh ins(%x : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.add ins(%a, %c : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  linalg.exp ins(%c : memref<16xf32>) outs(%x : memref<16xf32>)
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%r : memref<64xf32>)
  return
}

// Elements of other types: the result is seen as bytes.
// CHECK-LABEL: @of_other_types(
// CHECK-SAME:    %[[R:[^:]*]]: memref<4x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[ROW:.*]] = memref.reinterpret_cast %[[R]] to offset: [0], sizes: [32], strides: [1] : memref<4x8xf32> to memref<32xf32>
// CHECK:         %[[BYTES:.*]] = builtin.unrealized_conversion_cast %[[ROW]] : memref<32xf32> to memref<128xi8>
// CHECK:         %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[A:.*]] = memref.view %[[BYTES]][%[[C0]]][] : memref<128xi8> to memref<4x4xf16>
// CHECK-NOT:     unrealized_conversion_cast
// CHECK:         %[[C64:.*]] = arith.constant 64 : index
// CHECK:         memref.view %[[BYTES]][%[[C64]]][] : memref<128xi8> to memref<16xi8>
// CHECK:         linalg.exp {{.*}} outs(%[[A]]
// CHECK:         linalg.fill {{.*}} outs(%[[R]]
func.func @of_other_types(%x: memref<4x4xf16>, %y: memref<16xi8>,
                          %r: memref<4x8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<4x4xf16>
  %b = memref.alloc() : memref<16xi8>
  linalg.exp ins(%x : memref<4x4xf16>) outs(%a : memref<4x4xf16>)
  linalg.add ins(%y, %y : memref<16xi8>, memref<16xi8>) outs(%b : memref<16xi8>)
  linalg.exp ins(%a : memref<4x4xf16>) outs(%x : memref<4x4xf16>)
  linalg.add ins(%b, %b : memref<16xi8>, memref<16xi8>) outs(%y : memref<16xi8>)
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%r : memref<4x8xf32>)
  return
}
