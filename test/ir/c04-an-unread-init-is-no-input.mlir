// An operand that only gives its op's result a shape keeps nothing alive in an
// arena; an op that nobody knows reads all its operands.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %2 = math.exp (%0)
// CHECK: %3 = linalg.generic (%1) : 16 B,
// CHECK: %4 = foo.rand_like (%1, %2) : 16 B,
func.func @f(%x: tensor<4xf32>, %seed: tensor<4xf32>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%seed : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  %2 = "foo.rand_like"(%seed, %0)
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
