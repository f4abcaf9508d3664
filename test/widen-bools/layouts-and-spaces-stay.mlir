// Layout, memory space and unranked types survive; other types are left alone.
// RUN: remat-opt %s --remat-widen-bools | FileCheck %s

// CHECK: @f(%{{.*}}: memref<?xi8, strided<[2], offset: ?>, 3>, %{{.*}}: memref<2xi4>) -> memref<*xi8, 3>
func.func @f(%m: memref<?xi1, strided<[2], offset: ?>, 3>, %n: memref<2xi4>) -> memref<*xi1, 3> {
  %0 = memref.cast %m : memref<?xi1, strided<[2], offset: ?>, 3> to memref<*xi1, 3>
  return %0 : memref<*xi1, 3>
}
