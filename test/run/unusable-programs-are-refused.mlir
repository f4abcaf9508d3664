// What cannot be run is refused with status 2 and a message that says why.
// RUN: split-file %s %t
// RUN: not remat-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not remat-run %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: remat-run %t/several.mlir --function g
// RUN: not remat-run %t/several.mlir --function h 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not remat-run %t/dynamic.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not remat-run %t/complex.mlir 2>&1 | FileCheck %s --check-prefix=COMPLEX
// RUN: not remat-run %t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not remat-run %t/absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not remat-run %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not remat-run %t/one.mlir %t/other.mlir 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not remat-run %t/one.mlir --frobnicate 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: sh -c 'remat-run %t/none.mlir; test $? = 2'

// NONE: none.mlir: no public function with a body
// SEVERAL: which function? --function NAME chooses
// SEVERAL: there are: f g
// NAMED: no public function 'h' with a body
// DYNAMIC: argument 0, tensor<?xf32>, has a dynamic shape
// COMPLEX: argument 0, tensor<2xcomplex<f32>>, is not of a supported type
// BROKEN: broken.mlir: cannot be read as MLIR
// ABSENT: absent.mlir: cannot be opened
// UNKNOWN: unknown.mlir: cannot be lowered
// TYPES: the programs cannot be compared: argument 0 is tensor<2xf32> in one and tensor<3xf32> in the other
// OPTION: '--frobnicate'; --help lists the options

//--- none.mlir
func.func private @f(%x: tensor<2xf32>) {
  return
}
//--- several.mlir
func.func @f(%x: tensor<2xf32>) {
  return
}
func.func @g(%x: tensor<2xf32>) {
  return
}
//--- dynamic.mlir
func.func @f(%x: tensor<?xf32>) {
  return
}
//--- complex.mlir
func.func @f(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  return %x : tensor<2xcomplex<f32>>
}
//--- broken.mlir
func.func @f(
//--- unknown.mlir
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
//--- one.mlir
func.func @f(%x: tensor<2xf32>) {
  return
}
//--- other.mlir
func.func @f(%x: tensor<3xf32>) {
  return
}
