// Without its fence a clone is what cse would merge.
// RUN: remat-opt %S/Inputs/step.mlir --remat-apply-schedule="steps=0..3,0,4" --remat-lower \
// RUN:   -o %t.mlir
// RUN: not remat-opt %t.mlir --remat-verify=original=%S/Inputs/step.mlir 2>&1 | FileCheck %s

// CHECK: mlir:7:10: error: 'math.exp' is recomputed, but cse would merge it with the op it equals: nothing it reads comes out of a fence
