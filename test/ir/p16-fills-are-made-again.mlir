// A fill that is read, here by a transpose, costs little and may be made again,
// at each reader; it reads nothing.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %1 = linalg.fill +1 () : 1048576 B, cost {{[0-9]+$}}
// CHECK: %2 = linalg.transpose +1 (%1) : 1048576 B, cost {{[0-9]+$}}
func.func @f(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>)
      -> tensor<512x512xf32>
  %p = linalg.transpose ins(%z : tensor<512x512xf32>)
      outs(%e : tensor<512x512xf32>) permutation = [1, 0]
  %0 = arith.addf %x, %p : tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
