// A program that writes to an argument is told so, unless the argument was
// donated.
// RUN: not remat-run %s --function writes | FileCheck %s
// RUN: remat-run %s --function may_write

// CHECK: argument 1 was overwritten, and it is not donated
func.func @writes(%a: memref<4xf32>, %b: memref<4xf32>,
                  %r: memref<4xf32> {bufferize.result}) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%b : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}
func.func @may_write(%a: memref<4xf32>,
                     %b: memref<4xf32> {jax.buffer_donor = true},
                     %r: memref<4xf32> {bufferize.result}) {
  linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.exp ins(%b : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}
