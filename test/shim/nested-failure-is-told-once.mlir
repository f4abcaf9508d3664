// RUN: not %test_passes %s -o /dev/null 2>&1 \
// RUN:   --pass-pipeline='builtin.module(test-nested{passes=nonsense})' | FileCheck %s

// CHECK: error: not a pass pipeline
// CHECK-NOT: error
func.func @f() {
  return
}
