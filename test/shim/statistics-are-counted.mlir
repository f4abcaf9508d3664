// MLIR prints statistics where it was built with assertions only.
// REQUIRES: assertions
// RUN: %test_passes %s -o /dev/null --mlir-pass-statistics 2>&1 \
// RUN:   --pass-pipeline='builtin.module(func.func(test-options))' | FileCheck %s

// CHECK: test-options
// CHECK-NEXT: (S) 2 runs - how often it ran
func.func private @a()
func.func private @b()
