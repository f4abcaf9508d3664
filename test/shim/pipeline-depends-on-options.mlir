// A pipeline's passes are a function of its options.
// RUN: %test_passes %s --pass-pipeline='builtin.module(test-pipeline{number=2})' --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-pipeline{number=12})' 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-pipeline{foo=1})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: Pass Manager with 2 passes
// CHECK-COUNT-2: test-options{choice=live
// WRONG: error: test-pipeline: number must be 1 to 9
// UNKNOWN: no such option foo
module {}
