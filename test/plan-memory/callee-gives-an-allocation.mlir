// A private callee allocates what it returns, and may return what it is given:
// both allocations stay, each is freed once.
// RUN: remat-opt %s --remat-plan-memory 2>/dev/null | FileCheck %s

// CHECK-LABEL: @callee
// CHECK:         memref.alloc() : memref<f32>
// CHECK-NOT:     memref.dealloc
// CHECK-LABEL: @caller
// CHECK:         %[[A:.*]] = memref.alloc() : memref<f32>
// CHECK:         %[[R:.*]] = call @callee
// CHECK-DAG:     memref.dealloc %[[R]] :
// CHECK-DAG:     memref.dealloc %[[A]] :
// CHECK-NOT:     memref.dealloc
func.func private @callee(%x: memref<f32>) -> memref<f32> {
  %a = memref.alloc() : memref<f32>
  linalg.exp ins(%x : memref<f32>) outs(%a : memref<f32>)
  return %a : memref<f32>
}
func.func @caller(%s: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  memref.store %s, %a[] : memref<f32>
  %r = func.call @callee(%a) : (memref<f32>) -> memref<f32>
  %v = memref.load %r[] : memref<f32>
  memref.dealloc %r : memref<f32>
  memref.dealloc %a : memref<f32>
  return %v : f32
}
