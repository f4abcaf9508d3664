// An arena that must stay below a capacity, and bytes of it that are another's.
// RUN: remat-opt %s --remat-plan-memory="capacity=512" | FileCheck %s --check-prefix=FITS
// RUN: not remat-opt %s --remat-plan-memory="capacity=511" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: remat-opt %s --remat-plan-memory="reserved=64-128,320-384" | FileCheck %s --check-prefix=RESERVED
// RUN: not remat-opt %s --remat-plan-memory="reserved=0-64 capacity=512" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not remat-opt %s --remat-plan-memory="reserved=64" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not remat-opt %s --remat-plan-memory="reserved=0-64 max-allocation=512" 2>&1 | FileCheck %s --check-prefix=PARTS

// FITS: memref<512xi8>
// FULL:     error: remat-plan-memory: the smallest arena found for @f takes 512 bytes, more than capacity=511 allows; none takes less than 512
// FULL:     note: one of 2 that cannot be placed together, 256 bytes
// FULL:     %a = memref.alloc()
// FULL:     note: one of 2 that cannot be placed together, 256 bytes
// FULL:     %b = memref.alloc()
// FULL-NOT: note
// 128 to 320 is too small for one, so there is none below 384.
// RESERVED: remat.offsets = array<i64: 0, 64, {{384, 256, 640|640, 256, 384}}, 256>} : memref<896xi8>
// RESERVED: call @callee
// BOTH:  error: remat-plan-memory: the smallest arena found for @f takes 576 bytes, more than capacity=512 allows; none takes less than 576
// RANGE: error: remat-plan-memory: reserved: no range, as 0-4096: '64'
// PARTS: error: remat-plan-memory: reserved bytes need one allocation, without max-allocation

func.func private @callee(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<f32>
  %b = memref.load %x[%c0] : memref<64xf32>
  memref.store %b, %a[] : memref<f32>
  %c = memref.load %a[] : memref<f32>
  memref.store %c, %x[%c0] : memref<64xf32>
  return
}

func.func @f(%x: memref<64xf32>) {
  call @callee(%x) : (memref<64xf32>) -> ()
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.tanh ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
