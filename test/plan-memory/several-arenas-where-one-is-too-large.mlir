// No allocation is larger than asked for: an arena becomes several, and so do
// the arguments of a function whose caller lends them.
// RUN: remat-opt %s --remat-plan-memory="in-place=false max-allocation=512" | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="in-place=false max-allocation=512 arena=argument" | FileCheck %s --check-prefix=LENT
// RUN: not remat-opt %s --remat-plan-memory="in-place=false max-allocation=255" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not remat-opt %s --remat-plan-memory="in-place=false max-allocation=32" 2>&1 | FileCheck %s --check-prefix=ALIGNED

// CHECK-LABEL: @three
// CHECK:         %[[B:.*]] = memref.alloc() {alignment = 64 : i64, remat.offsets = array<i64: 0, 256>} : memref<256xi8>
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64, remat.offsets = array<i64: 0, 256, 256, 256>} : memref<512xi8>
// CHECK:         memref.view %[[A]]
// CHECK:         memref.view %[[A]]
// CHECK:         memref.view %[[B]][%c0
// CHECK:         memref.dealloc
// CHECK:         memref.dealloc
// LENT-LABEL:  @three
// LENT-SAME:     memref<512xi8> {{.*}}memref<256xi8>
// LENT:        @three_arena_bytes_1() -> i64
// LENT-NEXT:     arith.constant 256
// LENT:        @three_arena_bytes() -> i64
// LENT-NEXT:     arith.constant 512
// LARGE:    error: remat-plan-memory: this buffer takes 256 bytes aligned to 64, more than max-allocation=255 allows
// ALIGNED:  error: remat-plan-memory: this buffer takes 256 bytes aligned to 64, more than max-allocation=32 allows
func.func @three(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%c, %b : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
