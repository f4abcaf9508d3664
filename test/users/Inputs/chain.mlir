// A training chain of eight layers: a_i = f(a_{i-1}), then b(g_k, a_{k-1}) backward.
func.func @step(%a0: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a1 = "u.f"(%a0) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a2 = "u.f"(%a1) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a3 = "u.f"(%a2) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a4 = "u.f"(%a3) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a5 = "u.f"(%a4) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a6 = "u.f"(%a5) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a7 = "u.f"(%a6) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %a8 = "u.f"(%a7) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %g8 = "u.loss"(%a8) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>) -> tensor<256x256xf32>
  %g7 = "u.b"(%g8, %a7) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g6 = "u.b"(%g7, %a6) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g5 = "u.b"(%g6, %a5) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g4 = "u.b"(%g5, %a4) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g3 = "u.b"(%g4, %a3) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g2 = "u.b"(%g3, %a2) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g1 = "u.b"(%g2, %a1) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %g0 = "u.b"(%g1, %a0) {remat.recomputable = true, remat.cost = 100 : i64} : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %g0 : tensor<256x256xf32>
}
