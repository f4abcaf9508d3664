// A buffer made to be returned is the caller's from the start. What is returned
// twice, or is not the function's own, is copied; what is no static memref
// stays a result.
// RUN: remat-opt %s --remat-lend-results | FileCheck %s

// CHECK-LABEL: func.func @results
// CHECK-SAME:  (%[[X:.*]]: memref<4xf32>, %[[N:.*]]: index, %[[A:.*]]: memref<4xf32> {bufferize.result, some.name}, %[[B:.*]]: memref<4xf32> {bufferize.result}, %[[C:.*]]: memref<4xf32> {bufferize.result}) -> (index, memref<?xf32>)
// CHECK-NEXT:  %[[D:.*]] = memref.alloc(%[[N]])
// CHECK-NEXT:  linalg.exp {{.*}} outs(%[[A]]
// CHECK-NEXT:  memref.copy %[[A]], %[[B]]
// CHECK-NEXT:  memref.copy %[[X]], %[[C]]
// CHECK-NEXT:  return %[[N]], %[[D]]
func.func @results(%x: memref<4xf32>, %n: index) -> (memref<4xf32> {some.name}, index, memref<4xf32>, memref<?xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  return %a, %n, %a, %d, %x : memref<4xf32>, index, memref<4xf32>, memref<?xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func private @called
// CHECK-SAME:  -> memref<4xf32>
func.func private @called() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @caller() {
  %a = call @called() : () -> memref<4xf32>
  return
}
