// StableHLO: what draws from hidden state, talks to the world or calls what we
// cannot see stays where it is; random bits from a state that is an operand may
// be drawn again.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: remark
// CHECK: stablehlo.rng (%{{.*}}fixed
// CHECK: stablehlo.custom_call (%{{.*}}fixed
// CHECK: stablehlo.infeed (%{{.*}}: 16 B, 0 B, {{.*}}fixed
// CHECK: stablehlo.rng_bit_generator (%{{.*}}: 16 B, 32 B, cost {{[0-9]+$}}
func.func @f(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>,
             %state: tensor<2xui64>, %token: !stablehlo.token) {
  %0 = "stablehlo.rng"(%a, %b, %shape)
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2:2 = "stablehlo.infeed"(%token)
      : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %3:2 = "stablehlo.rng_bit_generator"(%state)
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
  return
}
