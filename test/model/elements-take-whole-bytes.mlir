// Bytes of a value by its type: whole bytes for each element, none for tokens.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s

// CHECK: : 8 B, 8 B, 16 B, 64 B, 64 B, 0 B, 0 B, 24 B, 2 B, 8 B, cost
func.func @f(%x: tensor<8xf32>) {
  %0:10 = "foo.types"(%x) {remat.recomputable = true} : (tensor<8xf32>)
      -> (tensor<8xi1>, tensor<8xi4>, tensor<8xbf16>, tensor<8xcomplex<f32>>,
          tensor<8xindex>, !stablehlo.token, tensor<0x9xf32>,
          tuple<tensor<4xf32>, tensor<f64>>, f16, index)
  return
}
