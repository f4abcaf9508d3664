// The same as layers.mlir in StableHLO, in the generic form that needs no
// StableHLO in the reader.
func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = "stablehlo.exponential"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %b = "stablehlo.tanh"(%a) : (tensor<256xf32>) -> tensor<256xf32>
  %c = "stablehlo.tanh"(%b) : (tensor<256xf32>) -> tensor<256xf32>
  %d = "stablehlo.tanh"(%c) : (tensor<256xf32>) -> tensor<256xf32>
  %dc = "stablehlo.multiply"(%d, %c) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %db = "stablehlo.multiply"(%dc, %b) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  %da = "stablehlo.multiply"(%db, %a) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
  return %da : tensor<256xf32>
}
