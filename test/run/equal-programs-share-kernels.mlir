// Two programs on equal inputs: results are compared bit for bit, and kernels
// that both have are compiled once.
// RUN: split-file %s %t
// RUN: remat-run %t/a.mlir %t/b.mlir --json | FileCheck %s

// CHECK-DAG: "function":{{.*}}"main"
// CHECK-DAG: "equal":{{.*}}true
// CHECK-DAG: "inputs_unchanged":{{.*}}true
// CHECK-DAG: "difference":{{.*}}null
// CHECK-DAG: "planned_arena":{{.*}}null
// CHECK-DAG: "stock_peak":{{.*}}null
// CHECK-DAG: "kernels":{{.*}}2
// CHECK-DAG: "shared_kernels":{{.*}}1

//--- a.mlir
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
      -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
//--- b.mlir
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.negf ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
      -> tensor<16xf32>
  %1 = linalg.exp ins(%x : tensor<16xf32>) outs(%0 : tensor<16xf32>)
      -> tensor<16xf32>
  return %1 : tensor<16xf32>
}
