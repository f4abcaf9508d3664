// Three layers forward and back, as small as it gets: the backward half reads
// what the forward half made, last first, so all of it is held at once.
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
  %dc = linalg.mul ins(%d, %c : tensor<256xf32>, tensor<256xf32>) outs(%e4 : tensor<256xf32>) -> tensor<256xf32>
  %e5 = tensor.empty() : tensor<256xf32>
  %db = linalg.mul ins(%dc, %b : tensor<256xf32>, tensor<256xf32>) outs(%e5 : tensor<256xf32>) -> tensor<256xf32>
  %e6 = tensor.empty() : tensor<256xf32>
  %da = linalg.mul ins(%db, %a : tensor<256xf32>, tensor<256xf32>) outs(%e6 : tensor<256xf32>) -> tensor<256xf32>
  return %da : tensor<256xf32>
}
