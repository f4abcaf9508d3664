// A recomputed matmul costs one buffer and nothing else.
// RUN: remat-opt %S/Inputs/matmul.mlir --remat-apply-schedule="fit=arena steps=0..2,0,3" \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-COUNT-5: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
