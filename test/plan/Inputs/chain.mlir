func.func @chain(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = math.exp %x : tensor<256xf32>
  %b = math.exp %a : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = math.exp %c : tensor<256xf32>
  %e = arith.addf %d, %c : tensor<256xf32>
  %f = arith.addf %e, %b : tensor<256xf32>
  %g = arith.addf %f, %a : tensor<256xf32>
  %h = arith.addf %g, %a : tensor<256xf32>
  return %h : tensor<256xf32>
}
