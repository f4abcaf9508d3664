// RUN: remat-opt %s --remat-plan-memory="lives-out=%t.csv" -o %t
// RUN: FileCheck %s --input-file=%t.csv
// RUN: not remat-opt %s --remat-plan-memory="lives-out=/no/such/folder/x.csv" 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK:      id,lower,upper,size,alignment,offset
// CHECK-NEXT: one/0/0,2,8,16,64,0
// CHECK-NEXT: two/0/0,2,8,16,64,0
// WRONG:      error: remat-plan-memory: cannot write lives-out file /no/such/folder/x.csv
func.func @one(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
func.func @two(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
