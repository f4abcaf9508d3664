// The planned program is what the plan file makes of the original, op by op.
// RUN: remat-opt %S/Inputs/step.mlir --remat-apply-schedule="steps=0..3,0,4" -o %t.mlir
// RUN: remat-opt %t.mlir --remat-verify="original=%S/Inputs/step.mlir plan-in=%S/Inputs/step-plan.json" \
// RUN:   | FileCheck %s
// RUN: not remat-opt %S/Inputs/step.mlir \
// RUN:   --remat-verify="original=%S/Inputs/step.mlir plan-in=%S/Inputs/step-plan.json" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER

// CHECK: remat.recompute

// OTHER: step.mlir:6:8: error: another op stands here than is meant
// OTHER: step.mlir:2:8: note: this, by the plan
