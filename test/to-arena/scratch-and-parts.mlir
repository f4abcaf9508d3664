// The pipeline hands the options of remat-plan-memory on.
// RUN: remat-opt %s --remat-to-arena="scratch=results" | FileCheck %s --check-prefix=SCRATCH
// RUN: remat-opt %s --remat-to-arena="in-place=false" | FileCheck %s --check-prefix=APART
// RUN: remat-opt %s --remat-to-arena="in-place=false max-allocation=256" | FileCheck %s --check-prefix=PARTS
// RUN: remat-opt %s --remat-to-arena="scratch=results" -o %t.mlir
// RUN: remat-run %s %t.mlir

// SCRATCH-NOT: memref.alloc
// APART:       memref<512xi8>
// PARTS:       memref.alloc() {{.*}} : memref<256xi8>
// PARTS:       memref.alloc() {{.*}} : memref<256xi8>
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %b = linalg.tanh ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.exp ins(%b : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
