// No op, no function, no body: nothing to plan, and nothing wrong.
// RUN: remat-opt %s --split-input-file --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: peak 0, cost 0, uncounted 0
func.func @empty() {
  return
}
func.func private @elsewhere(tensor<4xf32>)

// -----

module {
}
