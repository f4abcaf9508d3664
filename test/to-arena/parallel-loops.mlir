// Parallel loops write to their shared output: without a slice of it, slice by
// slice, and beside a reader of what it was before. Only what one iteration
// makes for itself stays allocated, as several may run at once.
// RUN: remat-opt %s --remat-to-arena 2>/dev/null | FileCheck %s
// RUN: remat-run %s --function=whole
// RUN: remat-run %s --function=old_and_new

// CHECK-LABEL: @whole
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         linalg.fill
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return
func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.forall (%t) in (1) shared_outs(%o = %e) -> tensor<8xf32> {
    %f = linalg.fill ins(%z : f32) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: @by_slices
// CHECK:         scf.forall
// CHECK-COUNT-1:   memref.alloc() {{.*}} : memref<2xf32>
// CHECK:           linalg.tanh {{.*}} outs(%{{.*}} : memref<2xf32, strided<[1], offset: ?>>)
// CHECK-NOT:       memref.copy
// CHECK:         return
func.func @by_slices(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.forall (%t) in (4) shared_outs(%o = %e) -> tensor<8xf32> {
    %i = affine.apply affine_map<(d) -> (2 * d)>(%t)
    %s = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %q = tensor.empty() : tensor<2xf32>
    %f = linalg.exp ins(%s : tensor<2xf32>) outs(%q : tensor<2xf32>) -> tensor<2xf32>
    %g = linalg.tanh ins(%f : tensor<2xf32>) outs(%q : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %g into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: @old_and_new
// CHECK-NOT:     memref.alloc
// CHECK:         memref.copy %arg0, %[[NEW:.*]] :
// CHECK:         scf.forall
// CHECK:           memref.copy %arg1,
// CHECK:         memref.copy %arg0,
// CHECK-NOT:     memref.copy
func.func @old_and_new(%x: tensor<8xf32>, %y: tensor<2xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.forall (%t) in (4) shared_outs(%o = %x) -> tensor<8xf32> {
    %i = affine.apply affine_map<(d) -> (2 * d)>(%t)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r, %x : tensor<8xf32>, tensor<8xf32>
}
