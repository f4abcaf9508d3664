// Our attributes on other dialects' ops, each where it belongs.
// RUN: remat-opt %s | FileCheck %s

// CHECK: module attributes {remat.target = {launch = 10 : i64}}
module attributes {remat.target = {launch = 10}} {
  // CHECK: func.func @f(%arg0: memref<8xi8> {remat.offsets = array<i64: 0, 4, 4, 4>})
  // CHECK-SAME: remat.plan
  func.func @f(%arena: memref<8xi8> {remat.offsets = array<i64: 0, 4, 4, 4>})
      attributes {remat.plan = {budget = 8}} {
    // CHECK: remat.offsets = array<i64: 0, 64>
    %a = memref.alloc() {remat.offsets = array<i64: 0, 64>} : memref<64xi8>
    // CHECK: remat.alias = {{\[}}[0, 1]], remat.cost = 5 : i64, remat.recomputable = true, remat.workspace = 8 : i64
    %0 = "foo.op"(%a, %a) {remat.cost = 5 : i64, remat.workspace = 8 : i64,
        remat.recomputable = true, remat.alias = [[0, 1]]}
        : (memref<64xi8>, memref<64xi8>) -> memref<64xi8>
    return
  }
}
