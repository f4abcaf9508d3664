// A bool in memory is a byte; what is computed stays a bit.
// RUN: remat-opt %s --remat-widen-bools | FileCheck %s

// CHECK: memref.global "private" constant @c : memref<3xi8> = dense<[1, 0, 1]>
memref.global "private" constant @c : memref<3xi1> = dense<[true, false, true]>

// CHECK: func.func @f(%[[M:.*]]: memref<4xi8>, %[[I:.*]]: index, %{{.*}}: i1) -> i1
// CHECK: %[[G:.*]] = memref.get_global @c : memref<3xi8>
// CHECK: %[[L:.*]] = memref.load %[[G]]
// CHECK: %[[T:.*]] = arith.trunci %[[L]] : i8 to i1
// CHECK: scf.if {{.*}} -> (memref<4xi8>)
// CHECK: %[[E:.*]] = arith.extui %[[T]] : i1 to i8
// CHECK: memref.store %[[E]]
// CHECK: return %[[T]] : i1
func.func @f(%m: memref<4xi1>, %i: index, %x: i1) -> i1 {
  %g = memref.get_global @c : memref<3xi1>
  %t = memref.load %g[%i] : memref<3xi1>
  %a = memref.alloc() : memref<4xi1>
  %r = scf.if %x -> memref<4xi1> {
    scf.yield %a : memref<4xi1>
  } else {
    scf.yield %m : memref<4xi1>
  }
  memref.store %t, %r[%i] : memref<4xi1>
  return %t : i1
}
