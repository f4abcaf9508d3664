// Operations come from the iteration space times the body, or from a rule for
// the op. On a target with one operation a nanosecond and endless bandwidth, the
// cost is their number.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

module attributes {remat.target = {f32 = 1.0, int = 1, bandwidth = 1.0e15,
                                   launch = 0}} {
// 2 * 4 * 8 * 16
// CHECK: linalg.matmul {{.*}} cost 1024
// 2 * 2 * 4 * 8 * 16
// CHECK: linalg.batch_matmul {{.*}} cost 2048
// 2 * (6 * 6 outputs) * (3 * 3 taps) * 2 in * 5 out
// CHECK: linalg.conv_2d_nhwc_hwcf {{.*}} cost 6480
// 4 * 4 * (division 8 + addition 1)
// CHECK: linalg.generic {{.*}} cost 144
func.func @linalg(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>, %c: tensor<4x8xf32>,
                  %d: tensor<2x4x16xf32>, %e: tensor<2x16x8xf32>,
                  %f: tensor<2x4x8xf32>, %x: tensor<1x8x8x2xf32>,
                  %k: tensor<3x3x2x5xf32>, %y: tensor<1x6x6x5xf32>,
                  %g: tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>)
      outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.batch_matmul ins(%d, %e : tensor<2x4x16xf32>, tensor<2x16x8xf32>)
      outs(%f : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = linalg.conv_2d_nhwc_hwcf
      ins(%x, %k : tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>)
      outs(%y : tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                        affine_map<(i, j) -> (j, i)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%g : tensor<4x4xf32>) outs(%g : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.divf %in, %out : f32
    %s = arith.addf %q, %in : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return
}

// 2 * (3 * 4 * 5) * 16, by the dimensions named
// CHECK: stablehlo.dot_general {{.*}} cost 1920
// 2 * (1 * 6 * 6 * 5) * (3 * 3 * 2)
// CHECK: stablehlo.convolution {{.*}} cost 6480
// the operand's elements
// CHECK: stablehlo.reduce {{.*}} cost 64
// CHECK: stablehlo.tanh {{.*}} cost 25600
func.func @stablehlo(%a: tensor<3x4x16xf32>, %b: tensor<3x16x5xf32>,
                     %x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x5xf32>,
                     %y: tensor<64xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_batching_dimensions = [0],
          rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2],
          rhs_contracting_dimensions = [1]>}>
      : (tensor<3x4x16xf32>, tensor<3x16x5xf32>) -> tensor<3x4x5xf32>
  %1 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64,
      dimension_numbers =
          #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}>
      : (tensor<1x8x8x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x6x5xf32>
  %2 = "stablehlo.reduce"(%y, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.tanh"(%y) : (tensor<64xf32>) -> tensor<64xf32>
  return
}
}
