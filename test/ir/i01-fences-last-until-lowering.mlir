// Canonicalization keeps the fence of a recomputation; after the lowering to native code
// no op of ours is left.
// RUN: remat-opt %S/Inputs/matmul.mlir --remat-apply-schedule="fit=arena steps=0..2,0,3" --canonicalize | FileCheck %s
// RUN: remat-opt %S/Inputs/matmul.mlir --remat-apply-schedule="fit=arena steps=0..2,0,3" --remat-to-cpu | FileCheck %s --check-prefix=NONE

// CHECK:    remat.recompute

// NONE:     llvm.func
// NONE-NOT: remat.recompute
// NONE-NOT: remat.checkpoint
