// A private function that only calls name gets its arena from its callers, where
// it is a buffer alive during the call: an arena holds what is alive along the
// deepest way through the calls.
// RUN: remat-opt %s --remat-plan-memory -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: remat-opt %t.mlir --remat-plan-memory | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="max-allocation=256" | FileCheck %s --check-prefix=PARTS

// PARTS-LABEL: @leaf
// PARTS:         memref.alloc

// 64 bytes of its own, and in another space.
// CHECK-LABEL: func.func private @leaf(
// CHECK-SAME:    %{{.*}}: memref<4xf32>, %[[A:.*]]: memref<64xi8> {remat.alignment = 64 : i64, remat.offsets = array<i64: 0, 16>}, %[[B:.*]]: memref<64xi8, 1> {
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %[[A]]
// CHECK:         memref.view %[[B]]
// CHECK-NOT:     memref.dealloc
func.func private @leaf(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32, 1>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.tanh ins(%a : memref<4xf32>) outs(%b : memref<4xf32, 1>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32, 1>) outs(%x : memref<4xf32>)
  return
}

// 64 bytes of its own beside those of the leaf.
// CHECK-LABEL: func.func private @middle(
// CHECK-SAME:    %{{.*}}: memref<4xf32>, %[[A:.*]]: memref<128xi8> {{{.*}}}, %[[B:.*]]: memref<64xi8, 1> {
// CHECK-NOT:     memref.alloc
// CHECK:         call @leaf(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<4xf32>, memref<64xi8>, memref<64xi8, 1>) -> ()
func.func private @middle(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.tanh ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  call @leaf(%a) : (memref<4xf32>) -> ()
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// The larger of both ways, once: whoever calls it from outside may do so as before.
// CHECK-LABEL: func.func @two_ways(
// CHECK-SAME:    %{{.*}}: memref<4xf32>, %{{.*}}: memref<4xf32> {bufferize.result}) {
// CHECK-DAG:     memref.alloc() {{.*}} : memref<192xi8>
// CHECK-DAG:     memref.alloc() {{.*}} : memref<64xi8, 1>
// CHECK-NOT:     memref.alloc
// CHECK:         call @leaf
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         call @middle
// CHECK:         return
func.func @two_ways(%x: memref<4xf32>, %r: memref<4xf32> {bufferize.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.tanh ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  call @leaf(%a) : (memref<4xf32>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @middle(%a) : (memref<4xf32>) -> ()
  }
  linalg.tanh ins(%a : memref<4xf32>) outs(%r : memref<4xf32>)
  return
}

// On a cycle, named by more than calls, or called by nobody: an arena of its own.
// CHECK-LABEL: func.func private @cycle(%{{.*}}: memref<4xf32>, %{{[^:]*}}: i1)
// CHECK:         memref.alloc
func.func private @cycle(%x: memref<4xf32>, %c: i1) {
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  scf.if %c {
    func.call @cycle(%x, %false) : (memref<4xf32>, i1) -> ()
  }
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func private @named(%{{.*}}: memref<4xf32>)
// CHECK:         memref.alloc
func.func private @named(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func private @not_called(%{{[^:]*}}: memref<4xf32>) {
// CHECK:         memref.alloc
func.func private @not_called(%x: memref<4xf32>) {
  call @named(%x) : (memref<4xf32>) -> ()
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @names
func.func @names() -> ((memref<4xf32>) -> ()) {
  %f = func.constant @named : (memref<4xf32>) -> ()
  return %f : (memref<4xf32>) -> ()
}

// Where iterations may run at once each call has its own, freed behind it; nobody
// counts on what a function that keeps its argument does with its arena.
// CHECK-LABEL: func.func @at_once
// CHECK:         scf.forall
// CHECK:           %[[A:.*]] = memref.alloc() {{.*}} : memref<64xi8>
// CHECK:           %[[B:.*]] = memref.alloc() {{.*}} : memref<64xi8, 1>
// CHECK:           call @leaf(%{{.*}}, %[[A]], %[[B]])
// CHECK:           memref.dealloc %[[B]] :
// CHECK:           memref.dealloc %[[A]] :
func.func @at_once(%x: memref<8x4xf32>) {
  scf.forall (%i) in (8) {
    %row = memref.alloca() : memref<4xf32>
    func.call @leaf(%row) : (memref<4xf32>) -> ()
  }
  return
}

func.func private @outside(memref<4xf32>)

// CHECK-LABEL: func.func private @keeps(
// CHECK-SAME:    memref<64xi8>
// CHECK-NOT:     memref.alloc
func.func private @keeps(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  call @outside(%x) : (memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @calls_what_keeps
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         call @keeps
func.func @calls_what_keeps(%x: memref<4xf32>) {
  call @keeps(%x) : (memref<4xf32>) -> ()
  return
}
