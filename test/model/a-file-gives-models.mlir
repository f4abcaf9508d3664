// A file of models says of all ops of a name what attributes say of one; the
// attributes override it.
// RUN: split-file %s %t
// RUN: remat-opt %t/f.mlir --remat-print-graph="models=%t/models.json" -o /dev/null 2>&1 | FileCheck %s
// RUN: not remat-opt %t/f.mlir --remat-print-graph="models=%t/wrong.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not remat-opt %t/f.mlir --remat-print-graph="models=%t/f.mlir" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not remat-opt %t/f.mlir --remat-print-graph="models=%t/none.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK-NOT: remark
// CHECK: foo.gelu (%0) : 16 B, cost 12, workspace 64{{$}}
// CHECK: foo.gelu (%1) : 16 B, cost 13, workspace 64, fixed
// CHECK: math.exp (%2) : view of %2, cost {{[0-9]+}}, fixed
// WRONG: error: option 'models': of 'foo.gelu', 'price' is not understood; known are
// TEXT:  error: option 'models': '{{.*}}' is no JSON object of ops
// NONE:  error: option 'models': cannot read '{{.*}}': No such file
//--- f.mlir
func.func @f(%x: tensor<4xf32>) {
  %0 = "foo.gelu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "foo.gelu"(%0) {remat.recomputable = false, remat.cost = 13 : i64}
      : (tensor<4xf32>) -> tensor<4xf32>
  %2 = math.exp %1 : tensor<4xf32>
  return
}
//--- models.json
{"foo.gelu": {"recomputable": true, "cost": 12, "workspace": 64},
 "math.exp": {"alias": [[0, 0]], "recomputable": false}}
//--- wrong.json
{"foo.gelu": {"price": 12}}
