// Each matmul, clones included, gets a tensor.empty and a linalg.fill of its own
// right before it, though the input shares one pair among all.
// RUN: remat-opt %S/Inputs/matmul.mlir --remat-apply-schedule="fit=arena steps=0..2,0,3" | FileCheck %s

// CHECK-LABEL:   @matmul
// CHECK:         arith.constant
// CHECK-NEXT:    %[[E:.*]] = tensor.empty
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins({{.*}}) outs(%[[E]]
// CHECK-NEXT:    linalg.matmul {{.*}} outs(%[[F]]
// CHECK-COUNT-2: linalg.matmul
// CHECK:         remat.recompute from %arg0 after
// CHECK-NEXT:    %[[E1:.*]] = tensor.empty
// CHECK-NEXT:    %[[F1:.*]] = linalg.fill ins({{.*}}) outs(%[[E1]]
// CHECK-NEXT:    %[[A1:.*]] = linalg.matmul {{.*}} outs(%[[F1]]
// CHECK-NEXT:    %[[E2:.*]] = tensor.empty
// CHECK-NEXT:    %[[F2:.*]] = linalg.fill ins({{.*}}) outs(%[[E2]]
// CHECK-NEXT:    linalg.matmul ins(%{{.*}}, %[[A1]] {{.*}} outs(%[[F2]]
