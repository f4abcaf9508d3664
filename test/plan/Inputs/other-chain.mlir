func.func @chain(%x: tensor<128xf32>) -> tensor<128xf32> {
  %a = math.exp %x : tensor<128xf32>
  %b = math.exp %a : tensor<128xf32>
  %c = math.exp %b : tensor<128xf32>
  %d = math.exp %c : tensor<128xf32>
  %e = arith.addf %d, %c : tensor<128xf32>
  %f = arith.addf %e, %b : tensor<128xf32>
  %g = arith.addf %f, %a : tensor<128xf32>
  %h = arith.addf %g, %a : tensor<128xf32>
  return %h : tensor<128xf32>
}
