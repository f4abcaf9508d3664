// RUN: not remat-opt %s --remat-verify 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not remat-opt %s --remat-verify=original=%t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: echo 'func.func @f(' > %t.broken.mlir
// RUN: not remat-opt %s --remat-verify=original=%t.broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not remat-opt %s --remat-verify=original=%S/Inputs/two.mlir 2>&1 | FileCheck %s --check-prefix=OTHER

// NONE:   error: remat-verify: option 'original' is to name the file of the program before planning
// ABSENT: error: option 'original': cannot read '{{.*}}.absent': No such file
// BROKEN: broken.mlir:{{.*}}: error:
// BROKEN: error: option 'original': '{{.*}}broken.mlir' is no valid module
// OTHER:  error: function 'more' of the original is missing
// OTHER:  error: the type of the function changed
// OTHER:  two.mlir:1:1: note: the original
// OTHER:  error: the original has no function 'extra'
func.func @step(%x: tensor<4xf32>) {
  return
}
func.func @extra() {
  return
}
