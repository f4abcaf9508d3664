// A tensor that is given a memory space has a buffer there, and a copy takes it
// to another: no space is lost or mixed up.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s

// CHECK-LABEL: @from_space_to_space
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}} : memref<64xi8, 2>
// CHECK:         %[[V:.*]] = memref.view %[[A]]{{.*}} to memref<8xf32, 2>
// CHECK:         linalg.exp {{.*}} outs(%[[V]] : memref<8xf32, 2>)
// CHECK-NEXT:    memref.copy %[[V]], %arg1 : memref<8xf32, 2> to memref<8xf32, 3>
func.func @from_space_to_space(%x: tensor<8xf32>, %y: memref<8xf32, 3>) {
  %a = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<8xf32>
  %s = linalg.exp ins(%x : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %s in restrict writable %y : (tensor<8xf32>, memref<8xf32, 3>) -> ()
  return
}
