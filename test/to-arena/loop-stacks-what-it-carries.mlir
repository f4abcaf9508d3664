// A loop that stacks the old value of what it carries, and carries a new one:
// the new one is computed where the old one was, once that is stacked. A loop
// body has one copy, onto the stack, and no buffer of its own.
// RUN: remat-opt %s --remat-to-arena | FileCheck %s
// RUN: remat-run %s --stock

// CHECK-LABEL: @stacks
// CHECK:         scf.for
// CHECK-NOT:       memref.view
// CHECK-COUNT-1:   memref.copy
// CHECK-NEXT:      linalg.add {{.*}} outs(%[[H:.*]] :
// CHECK-NOT:       memref.copy
// CHECK:         }
func.func @stacks(%x: tensor<8x4xf32>, %h0: tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zeros = arith.constant dense<0.0> : tensor<8x4xf32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%h = %h0, %s = %zeros) -> (tensor<4xf32>, tensor<8x4xf32>) {
    %xi = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%h, %xi : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %t = tensor.insert_slice %h into %s[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %n, %t : tensor<4xf32>, tensor<8x4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<8x4xf32>
}
