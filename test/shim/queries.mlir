// What registered ops say of their effects and their place.
// RUN: %test_passes %s -o /dev/null --allow-unregistered-dialect 2>&1 \
// RUN:   --pass-pipeline='builtin.module(func.func(test-queries))' | FileCheck %s

func.func @f(%x: tensor<4x4xf32>, %m: memref<4xf32>, %c: i1, %n: index) {
  // CHECK: [[#@LINE+1]]:{{.*}} remark: pure speculatable{{$}}
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: pure speculatable init 1
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: read write{{$}}
  scf.if %c {
    // CHECK: [[#@LINE+1]]:{{.*}} remark: read{{$}}
    %l = memref.load %m[%n] : memref<4xf32>
    // CHECK: [[#@LINE+1]]:{{.*}} remark: write{{$}}
    memref.store %l, %m[%n] : memref<4xf32>
  }
  // CHECK: [[#@LINE+1]]:{{.*}} remark: pure{{$}}
  %d = arith.divsi %n, %n : index
  // CHECK: [[#@LINE+1]]:{{.*}} remark: allocate{{$}}
  %b = memref.alloc() : memref<4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: pure speculatable view{{$}}
  %v = memref.cast %b : memref<4xf32> to memref<?xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: free{{$}}
  memref.dealloc %b : memref<4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: read{{$}}
  %r = remat.recompute from %a : tensor<4x4xf32>
  // CHECK: [[#@LINE+1]]:{{.*}} remark: unknown unregistered{{$}}
  "foo.bar"() : () -> ()
  // CHECK: [[#@LINE+1]]:{{.*}} remark: pure speculatable terminator
  return
}
