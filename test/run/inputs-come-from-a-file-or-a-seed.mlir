// Inputs are drawn from a seed, or read from a .npy file of the right type and
// shape, and the results follow them.
// RUN: printf '\223NUMPY\001\000\166\000' > %t.npy
// RUN: printf "%%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" >> %t.npy
// RUN: printf '\000\000\200\077\000\000\000\100' >> %t.npy
// RUN: not remat-run %s %S/Inputs/first.mlir --input 1=%t.npy | FileCheck %s --check-prefix=FILE
// RUN: not remat-run %s %S/Inputs/first.mlir --seed 1 > %t.one
// RUN: not remat-run %s %S/Inputs/first.mlir --seed 2 > %t.two
// RUN: not diff %t.one %t.two
// RUN: not remat-run %s --input 0=%t.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not remat-run %s --input 2=%t.npy 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not remat-run %s --input %s 2>&1 | FileCheck %s --check-prefix=FORMAT

// FILE: result 0 at element 0 is 1 (0x3f800000) and
// SHAPE: its shape is not that of the argument
// NONE: there is no argument 2
// FORMAT: not a .npy file
func.func @main(%x: tensor<4xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  return %y : tensor<2xf32>
}
