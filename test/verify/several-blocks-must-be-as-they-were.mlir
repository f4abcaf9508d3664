// Functions of several blocks are not planned, so they must be equal.
// RUN: sed 's/EXP/exp/' %s > %t.a.mlir
// RUN: sed 's/EXP/cos/' %s > %t.b.mlir
// RUN: remat-opt %t.a.mlir --remat-verify=original=%t.a.mlir -o /dev/null
// RUN: not remat-opt %t.b.mlir --remat-verify=original=%t.a.mlir 2>&1 | FileCheck %s

// CHECK: error: the function differs from the original, and only functions of one block are planned
func.func @branch(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  cf.cond_br %p, ^one, ^two(%x : tensor<4xf32>)
^one:
  %a = math.EXP %x : tensor<4xf32>
  cf.br ^two(%a : tensor<4xf32>)
^two(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
