// Each public function with a body gets its type noted, and which arguments it
// may overwrite. What stands in memory already tells its results by attribute.
// RUN: remat-opt %s --remat-entry-points | FileCheck %s

// CHECK: func.func @tensors({{.*}}remat.entry = {donated = array<i64: 1>, type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>}
func.func @tensors(%a: tensor<4xf32>,
                   %b: tensor<4xf32> {tf.aliasing_output = 0 : i32})
    -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// CHECK: func.func @memrefs({{.*}}remat.entry = {donated = array<i64>, type = (memref<4xf32>) -> memref<8xf32>}
func.func @memrefs(%a: memref<4xf32>,
                   %r: memref<8xf32> {bufferize.result}) {
  return
}

// CHECK-NOT: remat.entry
func.func private @helper(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>)
