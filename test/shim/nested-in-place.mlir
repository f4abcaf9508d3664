// Below its own op a pass's pipeline is seen by the outer manager's printing.
// RUN: %test_passes %s -o /dev/null 2>&1 --mlir-print-ir-after-all \
// RUN:   --pass-pipeline='builtin.module(test-nested{passes=func.func(cse)})' | FileCheck %s

// CHECK: IR Dump After CSE
// CHECK: IR Dump After test-nested
func.func @f() {
  return
}
