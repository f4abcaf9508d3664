// With arena=argument the bytes come behind the other arguments, and a function
// tells how many they are. A function that is called here, and may be from outside,
// keeps its type.
// RUN: remat-opt %s --remat-plan-memory="arena=argument" --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: remat-opt %t.mlir | FileCheck %s

// CHECK-LABEL: func.func @lent
// CHECK-SAME:  %arg0: memref<4xf32> {some.thing}
// CHECK-SAME:  %[[ARENA:.*]]: memref<64xi8> {remat.alignment = 64 : i64, remat.offsets = array<i64: 0, 16>}
// CHECK-SAME:  attributes {remat.arena_bytes = 64 : i64}
// CHECK:       memref.view %[[ARENA]]
// CHECK-NOT:   memref.alloc
// CHECK:       func.func @lent_arena_bytes() -> i64
// CHECK-NEXT:    %[[N:.*]] = arith.constant 64 : i64
// CHECK-NEXT:    return %[[N]]
func.func @lent(%x: memref<4xf32> {some.thing}) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @called
// CHECK:       memref.alloc
// expected-remark @+1 {{@called is called in this module, so it allocates its arena itself}}
func.func @called(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// Nothing to plan, nothing changes.
// CHECK-LABEL: func.func @caller
// CHECK-SAME:  (%arg0: memref<4xf32>) {
func.func @caller(%x: memref<4xf32>) {
  call @called(%x) : (memref<4xf32>) -> ()
  return
}
