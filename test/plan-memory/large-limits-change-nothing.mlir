// A limit far above what is needed changes nothing, whatever it is in bits.
// RUN: remat-opt %s --remat-plan-memory="max-allocation=536870911" | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="max-allocation=536870912" | FileCheck %s
// RUN: remat-opt %s --remat-plan-memory="max-allocation=4611686018427387904" | FileCheck %s

// CHECK-LABEL: @one_byte
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
func.func @one_byte(%z: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xi8>
  memref.store %z, %a[%c0] : memref<1xi8>
  %v = memref.load %a[%c0] : memref<1xi8>
  return %v : i8
}
