// A planned program passes, as does one lowered to barriers, and the original itself.
// RUN: remat-opt %S/Inputs/step.mlir --remat-apply-schedule="steps=0..3,0,4" \
// RUN:   --remat-verify=original=%S/Inputs/step.mlir | FileCheck %s
// RUN: remat-opt %S/Inputs/step.mlir --remat-apply-schedule="steps=0..3,0,4" \
// RUN:   --remat-lower=to=iree --remat-verify=original=%S/Inputs/step.mlir -o /dev/null
// RUN: remat-opt %S/Inputs/step.mlir --remat-verify=original=%S/Inputs/step.mlir -o /dev/null

// CHECK: remat.recompute
