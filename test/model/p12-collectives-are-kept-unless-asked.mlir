// Other devices take part in a collective: it runs again only if the user says
// so, for all or for one, and never moves before that.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: remat-opt %s --remat-print-graph="fit=live collectives=recompute" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN

// KEEP:  %1 = stablehlo.all_to_all (%0) : {{.*}}, fixed
// KEEP:  %2 = stablehlo.all_gather (%1) : {{.*}}, cost {{[0-9]+$}}
// AGAIN: %1 = stablehlo.all_to_all (%0) : {{.*}}, cost {{[0-9]+$}}
func.func @f(%x: tensor<256x256xf32>) -> tensor<512x256xf32> {
  %0 = "stablehlo.all_to_all"(%x)
      : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = "stablehlo.all_gather"(%0) {remat.recomputable = true}
      : (tensor<256x256xf32>) -> tensor<512x256xf32>
  return %1 : tensor<512x256xf32>
}
