// Other devices take part in a collective, so it is kept at the smallest budget;
// its reader is recomputed. If the user says so, two are allowed.
// RUN: remat-opt %s --remat-plan="fit=live best-effort budget=2" 2>/dev/null | FileCheck %s
// RUN: remat-opt %s --remat-plan="fit=live best-effort budget=2 collectives=recompute" 2>/dev/null | FileCheck %s --check-prefix=AGAIN

// CHECK-COUNT-1: stablehlo.all_to_all
// CHECK-NOT:     stablehlo.all_to_all
// AGAIN-COUNT-2: stablehlo.all_to_all
func.func @step(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %r = "stablehlo.all_to_all"(%x) {concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a = "stablehlo.exponential"(%r) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %b = "stablehlo.sine"(%a) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %c = "stablehlo.sine"(%b) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %d = "stablehlo.multiply"(%c, %b) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %e = "stablehlo.multiply"(%d, %r) : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %f = "stablehlo.negate"(%e) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  return %f : tensor<256x256xf32>
}
