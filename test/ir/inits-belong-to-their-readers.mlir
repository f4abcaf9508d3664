// An init that only starts results is in the group of each op that starts from
// it, shared or not: a matmul with its fill and empty is one op for an arena. For
// fit=live a fill is a value; an empty is none.
// RUN: remat-opt %s --remat-print-graph="fit=arena" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIVE

// ARENA:      %1 = linalg.matmul +2 (%0) : 64 B,
// ARENA-NEXT: %2 = linalg.matmul +2 (%1) : 64 B returned,
// ARENA-NEXT: peak 64,
// LIVE:       %1 = linalg.fill +1 () : 64 B,
// LIVE-NEXT:  %2 = linalg.matmul (%0, %1) : 64 B,
// LIVE-NEXT:  %3 = linalg.matmul (%2, %1) : 64 B returned,
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>)
      -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>)
      outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
