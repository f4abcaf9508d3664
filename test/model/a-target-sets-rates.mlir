// The roofline: the slower of computing and moving bytes, and a launch, at the
// rates of `remat.target`; missing keys are as in the built-in target.
// RUN: split-file %s %t
// RUN: remat-opt %t/given.mlir --remat-print-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: remat-opt %t/built-in.mlir --remat-print-graph -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUILTIN

// 1000 * 160 / 80, against 8000 / 2: memory is slower.
// GIVEN:   math.exp {{.*}} cost 4007
// 1000 * 160 / 40, against 8000 / 10.
// BUILTIN: math.exp {{.*}} cost 4100
//--- given.mlir
module attributes {remat.target = {f32 = 80.0, bandwidth = 2, launch = 7}} {
  func.func @f(%x: tensor<1000xf32>) {
    %0 = math.exp %x : tensor<1000xf32>
    return
  }
}
//--- built-in.mlir
func.func @f(%x: tensor<1000xf32>) {
  %0 = math.exp %x : tensor<1000xf32>
  return
}
