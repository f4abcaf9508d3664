// What functions compute in their callers' arena are the same bits, also where they
// run there again and again; that of the outermost is all that is allocated.
// RUN: remat-opt %s --remat-plan-memory -o %t.mlir
// RUN: remat-run %s %t.mlir | FileCheck %s

// CHECK: first {{.*}} peak 192 bytes
// CHECK: second {{.*}} peak 192 bytes{{.*}}, 1 allocations
// CHECK: all 1 results equal bit for bit
func.func private @leaf(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.tanh ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

func.func private @middle(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.tanh ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @leaf(%a) : (memref<16xf32>) -> ()
  linalg.add ins(%a, %x : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}

func.func @main(%x: memref<16xf32>, %r: memref<16xf32> {bufferize.result}) {
  %a = memref.alloc() : memref<16xf32>
  linalg.tanh ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @leaf(%a) : (memref<16xf32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @middle(%a) : (memref<16xf32>) -> ()
  }
  linalg.exp ins(%a : memref<16xf32>) outs(%r : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
