// Where a buffer must not be computed at the place that it is copied to, or had
// better not: that place is read or written on the way, the buffer is used
// later or made outside of the loop, the copy may not happen, elements would lie
// apart, another op knows the layout, more bytes would be alive at the peak.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s

// CHECK-LABEL: @read_on_the_way
// CHECK:         memref.copy
func.func @read_on_the_way(%x: memref<8xf32>, %r: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%r : memref<8xf32>) outs(%x : memref<8xf32>)
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: @written_on_the_way
// CHECK:         memref.copy
func.func @written_on_the_way(%x: memref<8xf32>, %r: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  return
}

// CHECK-LABEL: @used_later
// CHECK:         memref.copy
func.func @used_later(%x: memref<8xf32>, %r: memref<8xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// CHECK-LABEL: @kept_by_the_loop
// CHECK:         memref.copy
func.func @kept_by_the_loop(%x: memref<8xf32>, %n: index,
                            %r: memref<8xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
    memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  }
  return
}

// CHECK-LABEL: @in_one_branch
// CHECK:         memref.copy
func.func @in_one_branch(%x: memref<8xf32>, %c: i1,
                         %r: memref<8xf32> {bufferize.result}) {
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.if %c {
    memref.copy %a, %r : memref<8xf32> to memref<8xf32>
  }
  return
}

// CHECK-LABEL: @far_apart
// CHECK:         memref.copy
func.func @far_apart(%x: memref<8xf32>, %r: memref<16xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %s = memref.subview %r[0] [8] [2] : memref<16xf32> to memref<8xf32, strided<[2]>>
  memref.copy %a, %s : memref<8xf32> to memref<8xf32, strided<[2]>>
  return
}

// CHECK-LABEL: @known_layout
// CHECK:         memref.copy
func.func private @helper(%a: memref<8xf32>) {
  linalg.exp ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  return
}
func.func @known_layout(%x: memref<8xf32>, %r: memref<16xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  func.call @helper(%a) : (memref<8xf32>) -> ()
  %s = memref.subview %r[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %a, %s : memref<8xf32> to memref<8xf32, strided<[1]>>
  return
}

// The large buffer would be alive beside %b and %c.
// CHECK-LABEL: @raises_the_peak
// CHECK:         memref<512xi8>
// CHECK:         memref.copy
func.func @raises_the_peak(%x: memref<16xf32>, %y: memref<112xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<112xf32>
  linalg.exp ins(%y : memref<112xf32>) outs(%b : memref<112xf32>)
  linalg.exp ins(%b : memref<112xf32>) outs(%y : memref<112xf32>)
  %d = memref.alloc() : memref<112xf32>
  %s = memref.subview %d[0] [16] [1] : memref<112xf32> to memref<16xf32, strided<[1]>>
  memref.copy %a, %s : memref<16xf32> to memref<16xf32, strided<[1]>>
  linalg.exp ins(%d : memref<112xf32>) outs(%y : memref<112xf32>)
  return
}

// The op that makes the buffer reads the destination, elsewhere.
// CHECK-LABEL: @from_the_same_buffer
// CHECK:         memref.copy
func.func @from_the_same_buffer(%x: memref<4xf32>, %i: index, %j: index,
                                %r: memref<16xf32> {bufferize.result}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%r : memref<16xf32>)
  %a = memref.alloc() : memref<4xf32>
  %s = memref.subview %r[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  linalg.add ins(%x, %s : memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) outs(%a : memref<4xf32>)
  %t = memref.subview %r[%j] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %a, %t : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
