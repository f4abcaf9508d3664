// A schedule that runs an op again for nobody gives no dead clone; here nothing is
// left to do, and the function stays as it was.
// RUN: remat-opt %s > %t.before
// RUN: remat-opt %s --remat-apply-schedule="steps=0,1,2,0,0" > %t.after
// RUN: cmp %t.before %t.after
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  "my.sink"(%a, %c) : (tensor<4xf32>, tensor<4xf32>) -> ()
  return %b : tensor<4xf32>
}
