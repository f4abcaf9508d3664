// Views that give several results, and ops that write several buffers: each
// buffer lives as long as any of them needs it.
// RUN: remat-opt %s --remat-plan-memory="in-place=false" | FileCheck %s

// CHECK-LABEL: @several
// CHECK:         memref<768xi8>
#id = affine_map<(i) -> (i)>
func.func @several(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<64xf32>) outs(%a, %b : memref<64xf32>, memref<64xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    linalg.yield %p, %p : f32, f32
  }
  %base, %offset, %size, %stride = memref.extract_strided_metadata %a : memref<64xf32> -> memref<f32>, index, index, index
  linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.exp ins(%c : memref<64xf32>) outs(%y : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  %again = memref.reinterpret_cast %base to offset: [%offset], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1], offset: ?>>
  memref.copy %again, %y : memref<64xf32, strided<[1], offset: ?>> to memref<64xf32>
  return
}
