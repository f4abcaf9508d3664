// The pipeline takes the options of remat-plan, and plans if a budget or an
// overhead is given; options reach the planner as they were written. What was
// planned is what runs.
// RUN: remat-opt %s --remat-to-cpu | FileCheck %s --check-prefix=NONE
// RUN: remat-opt %s --remat-to-cpu="budget=512B pin={save:no such;save:name}" --dump-pass-pipeline -o %t.mlir 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: FileCheck %s --check-prefix=PLANNED < %t.mlir
// RUN: remat-run %s %t.mlir --json | FileCheck %s --check-prefix=RUNS
// RUN: not remat-opt %s --remat-to-cpu="budget=nonsense" 2>&1 | FileCheck %s --check-prefix=ERROR

// NONE-NOT: remat.plan
// PASSES: remat-plan{{.*}}budget=512B{{.*}}pin={save:no such;save:name}
// PLANNED: remat.plan = {arena = 512 : i64
// RUNS-DAG: "equal":{{.*}}true
// RUNS-DAG: "planned_arena":{{.*}}512
// RUNS-DAG: "measured_peak":{{.*}}512
// ERROR: nonsense
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %a = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>)
      -> tensor<64xf32>
  %b = linalg.tanh ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>)
      -> tensor<64xf32>
  %c = linalg.exp ins(%b : tensor<64xf32>) outs(%e : tensor<64xf32>)
      -> tensor<64xf32>
  %d = linalg.tanh ins(%c : tensor<64xf32>) outs(%e : tensor<64xf32>)
      -> tensor<64xf32>
  %f = linalg.mul ins(%d, %a : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %g = linalg.mul ins(%f, %b : tensor<64xf32>, tensor<64xf32>)
      outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %g : tensor<64xf32>
}
