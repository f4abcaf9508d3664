// An init that was filled before the loop is not overwritten by the first
// iteration: each starts from ones.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s --stock

// CHECK-LABEL: @mapped
// CHECK:         scf.for
// CHECK-NOT:       memref.{{alloc|copy}}
// CHECK:           linalg.map { arith.mulf }
func.func @mapped(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %y) -> tensor<8xf32> {
    %m = linalg.map { arith.addf } ins(%x, %a : tensor<8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>)
    %n = linalg.map { arith.mulf } ins(%m, %f : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>)
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
