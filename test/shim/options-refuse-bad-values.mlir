// Bad and unknown options are refused, in MLIR's own words where it has them.
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-options{nmber=7})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-options{number=7x})' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-options{flag=maybe})' 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-options{size=4x})' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-options{choice=none})' 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not %test_passes %s --pass-pipeline='builtin.module(test-nested{checked=nonsense})' 2>&1 | FileCheck %s --check-prefix=PIPELINE

// UNKNOWN: no such option nmber
// NUMBER: for the --number option: '7x' value invalid
// FLAG: for the --flag option: 'maybe' is invalid value for boolean
// SIZE: for the --size option: '4x' is no size; write bytes, or a number with B, kB
// CHOICE: for the --choice option: 'none' is none of auto|arena|live
// PIPELINE: for the --checked option: not a pass pipeline: {{.*}}'nonsense' does not refer
module {}
