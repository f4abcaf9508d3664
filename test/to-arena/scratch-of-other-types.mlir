// A result holds temporaries of other types before it is written; in the arena is
// only what its op reads. Bits are equal.
// RUN: remat-opt %s --remat-to-arena="scratch=results in-place=false" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: remat-run %s %t.mlir

// CHECK:     builtin.unrealized_conversion_cast {{.*}} to memref<1024xi8>
// CHECK:     memref.alloc() {{.*}} : memref<256xi8>
// CHECK:     memref.view {{.*}} memref<1024xi8> to memref<16x8xbf16>
// CHECK:     memref.view {{.*}} memref<1024xi8> to memref<16x8xi1>
func.func @f(%x: tensor<16x8xbf16>, %y: tensor<8x16xbf16>) -> tensor<16x16xf32> {
  %half = tensor.empty() : tensor<16x8xbf16>
  %bits = tensor.empty() : tensor<16x8xi1>
  %whole = tensor.empty() : tensor<16x16xf32>
  %a = linalg.exp ins(%x : tensor<16x8xbf16>) outs(%half : tensor<16x8xbf16>) -> tensor<16x8xbf16>
  %p = linalg.map ins(%a, %x : tensor<16x8xbf16>, tensor<16x8xbf16>) outs(%bits : tensor<16x8xi1>)
    (%u: bf16, %v: bf16, %o: i1) {
      %1 = arith.cmpf ogt, %u, %v : bf16
      linalg.yield %1 : i1
    }
  %b = linalg.map ins(%p, %a : tensor<16x8xi1>, tensor<16x8xbf16>) outs(%half : tensor<16x8xbf16>)
    (%q: i1, %u: bf16, %o: bf16) {
      %1 = arith.negf %u : bf16
      %2 = arith.select %q, %u, %1 : bf16
      linalg.yield %2 : bf16
    }
  %zero = arith.constant 0.0 : f32
  %sum = linalg.fill ins(%zero : f32) outs(%whole : tensor<16x16xf32>) -> tensor<16x16xf32>
  %c = linalg.matmul ins(%b, %y : tensor<16x8xbf16>, tensor<8x16xbf16>) outs(%sum : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}
