// RUN: %test_passes %s -o /dev/null 2>&1 --pass-pipeline='builtin.module(test-notes)' \
// RUN:   --mlir-disable-diagnostic-notes=false | FileCheck %s

// CHECK: warning: a warning
// CHECK: note: and a note
module {}
