// RUN: remat-opt %S/Inputs/step.mlir --remat-apply-schedule="steps=0..3,0,4" \
// RUN:   | sed 's/attributes.*{$/{/; s/-> (tensor<4xf32>, tensor<4xf32>) {/-> (tensor<4xf32>, tensor<4xf32>) attributes {remat.plan = {budget = 64, peak = 64}} {/' > %t.mlir
// RUN: not remat-opt %t.mlir --remat-verify="original=%S/Inputs/step.mlir plan-in=%S/Inputs/step-plan.json" 2>&1 | FileCheck %s

// CHECK: error: remat.plan records peak 64, the plan file 48
