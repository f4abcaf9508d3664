// Memrefs of memrefs, a block that nobody reaches and that never ends, a
// function that never returns, unsigned and odd element types, no bytes at all.
// RUN: remat-opt %s --remat-plan-memory | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory --remat-plan-memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK:      1 of 2 buffers of @memrefs_of_memrefs stay allocated
// REMARK:      this one: the bytes of its type are not known
// REMARK:      1 of 1 buffers of @unreachable stay allocated

// CHECK-LABEL: func.func @memrefs_of_memrefs
// CHECK:         memref.alloc() : memref<2xmemref<4xf32>>
func.func @memrefs_of_memrefs(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xmemref<4xf32>>
  %b = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%b : memref<4xf32>)
  memref.store %x, %a[%c0] : memref<2xmemref<4xf32>>
  linalg.exp ins(%b : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

func.func @unreachable() {
  return
^never:
  %a = memref.alloc() : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^itself
^itself:
  cf.br ^itself
}

// CHECK-LABEL: func.func @never_returns
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.dealloc
func.func @never_returns() {
  cf.br ^around
^around:
  %a = memref.alloc() : memref<4xf32>
  cf.br ^around
}

// An element takes as many bytes as LLVM gives it.
// CHECK-LABEL: func.func @elements
// CHECK:         remat.offsets = array<i64: {{[0-9]+}}, 3, {{[0-9]+}}, 12, {{[0-9]+}}, 24, {{[0-9]+}}, 6, {{[0-9]+}}, 48>
func.func @elements() {
  %a = memref.alloc() : memref<3xi1>
  %b = memref.alloc() : memref<3xi17>
  %c = memref.alloc() : memref<3xcomplex<f32>>
  %d = memref.alloc() : memref<3xbf16>
  %e = memref.alloc() : memref<3xvector<3xf32>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%a, %b, %c, %d, %e : memref<3xi1>, memref<3xi17>, memref<3xcomplex<f32>>, memref<3xbf16>, memref<3xvector<3xf32>>) {
  ^bb0(%p: i1, %q: i17, %r: complex<f32>, %s: bf16, %t: vector<3xf32>):
    linalg.yield %p, %q, %r, %s, %t : i1, i17, complex<f32>, bf16, vector<3xf32>
  }
  return
}

// CHECK-LABEL: func.func @no_bytes
// CHECK:         memref<0xi8>
func.func @no_bytes() {
  %a = memref.alloc() : memref<0xf32>
  memref.copy %a, %a : memref<0xf32> to memref<0xf32>
  %c1 = arith.constant 1.0 : f32
  linalg.fill ins(%c1 : f32) outs(%a : memref<0xf32>)
  return
}
