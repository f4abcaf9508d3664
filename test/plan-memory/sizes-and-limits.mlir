// No size overflows: of one type, of all together, of alignments.
// RUN: remat-opt %s --remat-plan-memory --split-input-file --verify-diagnostics -o /dev/null
// RUN: not remat-opt %s --remat-plan-memory="alignment=4611686018427387904" 2>&1 | FileCheck %s

// CHECK: alignment is 4611686018427387904, it must be a power of two, 1GiB at most

// expected-remark @+1 {{2 of 2 buffers of @too_large stay allocated}}
func.func @too_large() {
  // expected-note @+1 {{the bytes of its type are not known}}
  %a = memref.alloc() : memref<4611686018427387904xf64>
  // expected-note @+1 {{the bytes of its type are not known}}
  %b = memref.alloc() : memref<4294967296x4294967296x4294967296xf64>
  return
}

// -----

// expected-remark @+1 {{2 of 3 buffers of @sum_too_large stay allocated}}
func.func @sum_too_large(%z: i8) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1152921504606846975xi8>
  // expected-note @+1 {{all together would be too large}}
  %b = memref.alloc() : memref<2305843009213693951xi8>
  // expected-note @+1 {{aligned to more than a GiB}}
  %c = memref.alloc() {alignment = 4611686018427387904 : i64} : memref<1xi8>
  memref.store %z, %a[%c0] : memref<1152921504606846975xi8>
  memref.store %z, %b[%c0] : memref<2305843009213693951xi8>
  memref.store %z, %c[%c0] : memref<1xi8>
  memref.store %z, %a[%c0] : memref<1152921504606846975xi8>
  memref.store %z, %b[%c0] : memref<2305843009213693951xi8>
  memref.store %z, %c[%c0] : memref<1xi8>
  return
}
