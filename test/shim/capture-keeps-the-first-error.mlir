// What is captured is not printed; its first error and place can be asked for.
// RUN: %test_passes %s --allow-unregistered-dialect -o /dev/null 2>&1 --pass-pipeline='builtin.module( \
// RUN:   test-nested{clone capture passes={test-notes,one-shot-bufferize}})' \
// RUN:   | FileCheck %s

// CHECK-NOT: warning
// CHECK: capture-keeps-the-first-error.mlir:[[#@LINE+3]]:{{.*}} remark: captured <op was not bufferized>
// CHECK-NOT: error
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "foo.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
