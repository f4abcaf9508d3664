// RUN: remat-opt %s --remat-plan-memory -o %t.once
// RUN: remat-opt %t.once --remat-plan-memory -o %t.twice
// RUN: diff %t.once %t.twice

func.func @once(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
func.func @empty() {
  return
}
func.func private @declared(memref<4xf32>)
