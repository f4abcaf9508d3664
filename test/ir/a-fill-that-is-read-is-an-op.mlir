// A fill that something reads, be it inside a region, is an op like any other;
// what starts from it still has a copy of its own.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK:      %1 = linalg.fill +1 () : 64 B, cost {{[0-9]+$}}
// CHECK-NEXT: %2 = linalg.matmul +2 (%0) : 64 B,
// CHECK-NEXT: %3 = arith.addf (%1, %2) : 64 B returned,
func.func @read(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = arith.addf %f, %0 : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK:      %1 = linalg.fill +1 () : 64 B,
// CHECK-NEXT: %2 = tensor.generate (%1) : 16 B returned,
func.func @captured(%i: index) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %0 = tensor.generate {
  ^bb0(%k: index):
    %v = tensor.extract %f[%k, %k] : tensor<4x4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
