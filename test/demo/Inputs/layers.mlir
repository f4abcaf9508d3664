func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %e0 = tensor.empty() : tensor<256xf32>
  %a = linalg.exp ins(%x : tensor<256xf32>) outs(%e0 : tensor<256xf32>) -> tensor<256xf32>
  %e1 = tensor.empty() : tensor<256xf32>
  %b = linalg.tanh ins(%a : tensor<256xf32>) outs(%e1 : tensor<256xf32>) -> tensor<256xf32>
  %e2 = tensor.empty() : tensor<256xf32>
  %c = linalg.tanh ins(%b : tensor<256xf32>) outs(%e2 : tensor<256xf32>) -> tensor<256xf32>
  %e3 = tensor.empty() : tensor<256xf32>
  %d = linalg.tanh ins(%c : tensor<256xf32>) outs(%e3 : tensor<256xf32>) -> tensor<256xf32>
  %e4 = tensor.empty() : tensor<256xf32>
  %e = linalg.mul ins(%d, %c : tensor<256xf32>, tensor<256xf32>) outs(%e4 : tensor<256xf32>) -> tensor<256xf32>
  %e5 = tensor.empty() : tensor<256xf32>
  %f = linalg.mul ins(%e, %b : tensor<256xf32>, tensor<256xf32>) outs(%e5 : tensor<256xf32>) -> tensor<256xf32>
  %e6 = tensor.empty() : tensor<256xf32>
  %g = linalg.mul ins(%f, %a : tensor<256xf32>, tensor<256xf32>) outs(%e6 : tensor<256xf32>) -> tensor<256xf32>
  return %g : tensor<256xf32>
}
