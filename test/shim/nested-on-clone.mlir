// A pass runs a pipeline on a clone; the module itself stays as it was, though
// the dialects that the inner passes bring were loaded by nobody else.
// RUN: %test_passes %s 2>%t --pass-pipeline='builtin.module(test-nested{clone \
// RUN:   passes={one-shot-bufferize{bufferize-function-boundaries=1}}})' | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=CLONE

// CHECK: return %arg0 : tensor<4xf32>
// CLONE: return %arg0 : memref<4xf32
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
