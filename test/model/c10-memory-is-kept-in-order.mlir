// What reads or writes memory stays where it is, on whatever op that shows; the
// same op on tensors may run again. A call is kept, too.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: memref.load (%1, %{{.*}}fixed
// CHECK: linalg.generic (%1) : cost {{[0-9]+}}, fixed
// CHECK: math.exp (%0) : 32 B, cost {{[0-9]+$}}
// CHECK: bufferization.to_tensor (%1) : view of %1, cost 0, fixed
// CHECK: func.call (%{{.*}}fixed
func.func private @log(tensor<8xf32>)
func.func @f(%x: tensor<8xf32>, %m: memref<8xf32>, %i: index) {
  %0 = memref.load %m[%i] : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} outs(%m : memref<8xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  %1 = math.exp %x : tensor<8xf32>
  %2 = bufferization.to_tensor %m : memref<8xf32> to tensor<8xf32>
  call @log(%2) : (tensor<8xf32>) -> ()
  return
}
