// What has no operand needs no fence; a clone that reads only that starts from it,
// so that cse keeps this one.
// RUN: remat-opt %s --remat-apply-schedule="steps=0..3,0,1,4" --cse | FileCheck %s

// CHECK-LABEL: @bare
// CHECK:       "stablehlo.iota"
// CHECK:       %[[I:.*]] = "stablehlo.iota"
// CHECK-NEXT:  %[[F:.*]], %[[G:.*]] = remat.recompute from %[[I]] after
// CHECK-NEXT:  %[[C:.*]] = "stablehlo.convert"(%[[F]])
// CHECK-NEXT:  "stablehlo.add"(%[[G]], %[[C]])
func.func @bare(%x: tensor<4xf32>) -> tensor<4xf32> {
  %i = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
  %a = "stablehlo.convert"(%i) : (tensor<4xi32>) -> tensor<4xf32>
  %b = "stablehlo.multiply"(%x, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "stablehlo.cosine"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %d = "stablehlo.add"(%c, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
