// Passes that merge and hoist equal code leave the recomputed matmul alone.
// RUN: remat-opt %S/Inputs/matmul.mlir --remat-apply-schedule="fit=arena steps=0..2,0,3" \
// RUN:   --cse --canonicalize --symbol-dce --loop-invariant-code-motion | FileCheck %s

// CHECK-COUNT-3: linalg.matmul
// CHECK:         %[[A:.*]], %[[D:.*]] = remat.recompute from %arg0 after
// CHECK-NEXT:    %[[M:.*]] = linalg.matmul ins(%[[A]], %arg1
// CHECK-NEXT:    linalg.matmul ins(%[[D]], %[[M]]
