// A chain of three buffers needs the bytes of two: a buffer is free after its
// last use, wherever its dealloc stands. The deallocs vanish, the arena is freed
// at the end.
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s

// CHECK-LABEL: @chain
// CHECK:       %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64, remat.offsets = array<i64: [[A:[0-9]+]], 256, [[B:[0-9]+]], 256, [[A]], 256>} : memref<512xi8>
// CHECK:       %[[AT_A:.*]] = arith.constant [[A]] : index
// CHECK:       memref.view %[[ARENA]][%[[AT_A]]][] : memref<512xi8> to memref<64xf32>
// CHECK:       %[[AT_B:.*]] = arith.constant [[B]] : index
// CHECK:       memref.view %[[ARENA]][%[[AT_B]]][]
// CHECK:       memref.view %[[ARENA]][%{{.*}}][]
// CHECK:       linalg.tanh {{.*}} outs(%arg1
// CHECK-NEXT:  memref.dealloc %[[ARENA]]
// CHECK-NEXT:  return
func.func @chain(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.tanh ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.tanh ins(%c : memref<64xf32>) outs(%y : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %c : memref<64xf32>
  return
}
