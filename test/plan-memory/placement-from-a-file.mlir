// Offsets of another allocator are taken, in any order of rows, and checked.
// RUN: printf 'id,lower,upper,size,offset\nf/0/1,0,9,256,64\nf/0/0,0,9,256,1024\n' >%t.csv
// RUN: remat-opt %s --remat-plan-memory="placement-in=%t.csv" | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="lives-out=%t.own.csv" -o %t.own
// RUN: remat-opt %s --remat-plan-memory="placement-in=%t.own.csv" | diff - %t.own
// RUN: printf 'id,lower,upper,size,offset\nf/0/0,0,1,256,0\nf/0/1,1,2,256,192\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: printf 'id,lower,upper,size,offset\nf/0/0,0,1,256,0\nf/0/1,1,2,256,288\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=UNALIGNED
// RUN: printf 'id,lower,upper,size,offset\nf/0/0,0,1,256,0\nf/0/1,1,2,128,256\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: printf 'id,lower,upper,size,offset\nf/0/0,0,1,256,0\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: printf 'id,lower,upper,size,offset\nf/0/0,0,1,256,0\nf/0/0,0,1,256,0\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: printf 'id,lower,upper\n' >%t.csv
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.csv" 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: not remat-opt %s --remat-plan-memory="placement-in=%t.none" 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK:      remat.offsets = array<i64: 1024, 256, 64, 256>} : memref<1280xi8>
// OVERLAP:    error: remat-plan-memory: placement-in file {{.*}}.csv is wrong for arena 0 of @f: buffers 0 and 1 overlap: 0 lives {{.*}} in bytes [0, 256), 1 lives {{.*}} in bytes [192, 448)
// OVERLAP:    note: this one is f/0/0
// OVERLAP:    note: this one is f/0/1
// UNALIGNED:  error: remat-plan-memory: placement-in file {{.*}} buffer 1 at 288 is not aligned to 64
// SIZE:       error: remat-plan-memory: placement-in file {{.*}} has 128 bytes for this buffer, f/0/1, which takes 256
// MISSING:    error: remat-plan-memory: placement-in file {{.*}} has no offset for this buffer, f/0/1
// TWICE:      error: remat-plan-memory: placement-in file {{.*}} has buffer f/0/0 twice
// HEADER:     error: remat-plan-memory: placement-in file {{.*}}: line 1: no column 'size'
// NONE:       error: remat-plan-memory: placement-in file {{.*}}.none: No such file
func.func @f(%x: memref<64xf32>, %w: memref<64x64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
