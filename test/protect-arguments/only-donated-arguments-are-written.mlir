// RUN: remat-opt %s --remat-protect-arguments | FileCheck %s

// CHECK-LABEL: func.func @step
// CHECK-SAME:  %arg0: tensor<4xf32> {bufferization.writable = false}
// CHECK-SAME:  %arg1: tensor<4xf32> {bufferization.writable = true, tf.aliasing_output = 0 : i32}
// CHECK-SAME:  %arg2: tensor<4xf32> {bufferization.writable = true, jax.buffer_donor = true}
// CHECK-SAME:  %arg3: tensor<4xf32> {bufferization.writable = true}
// CHECK-SAME:  %arg4: index
func.func @step(%a: tensor<4xf32>, %b: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %c: tensor<4xf32> {jax.buffer_donor = true}, %d: tensor<4xf32> {bufferization.writable = true}, %n: index) {
  return
}

// What is called is known to bufferization.
// CHECK-LABEL: func.func private @called
// CHECK-NOT:   bufferization.writable
// CHECK:       return
func.func private @called(%a: tensor<4xf32>) {
  return
}
func.func @caller() {
  %a = tensor.empty() : tensor<4xf32>
  call @called(%a) : (tensor<4xf32>) -> ()
  return
}
