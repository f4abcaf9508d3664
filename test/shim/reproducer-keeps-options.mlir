// A reproducer of a failed pass holds its options, and reproduces the failure.
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-nested{passes={nonsense{a="b c"}}})' \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=KEPT
// RUN: not %test_passes %t --run-reproducer 2>&1 | FileCheck %s

// CHECK: error: not a pass pipeline: {{.*}}'nonsense'
// KEPT: pipeline: "builtin.module(test-nested{{.*}}nonsense
module {}
