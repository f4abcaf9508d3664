// A file of models makes an op recomputable that nobody knows; without it the op
// is kept, and one remark says so.
// RUN: echo '{"foo.exp": {"recomputable": true, "cost": 10}}' > %t.json
// RUN: remat-opt %s --remat-plan="fit=live reorder=false budget=3072 models=%t.json" | FileCheck %s
// RUN: not remat-opt %s --remat-plan="fit=live reorder=false budget=3072" 2>&1 | FileCheck %s --check-prefix=KEPT
// CHECK: remat.recompute
// CHECK-NEXT: "foo.exp"
// KEPT: remark: {{.*}}foo.exp
// KEPT: error: remat-plan: no plan fits the budget of 3072 bytes
func.func @f(%x: tensor<256xf32>) -> tensor<256xf32> {
  %a = "foo.exp"(%x) : (tensor<256xf32>) -> tensor<256xf32>
  %b = math.exp %x : tensor<256xf32>
  %c = math.exp %b : tensor<256xf32>
  %d = arith.addf %c, %b : tensor<256xf32>
  %e = arith.addf %d, %a : tensor<256xf32>
  %f = arith.addf %e, %a : tensor<256xf32>
  return %f : tensor<256xf32>
}
