// RUN: not remat-opt %s --remat-apply-schedule="steps=0..1,first" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not remat-opt %s --remat-apply-schedule="steps=1,0" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not remat-opt %s --remat-apply-schedule="steps=0..9" 2>&1 | FileCheck %s --check-prefix=RANGE

// TEXT:  error: option 'steps': 'first' is neither an op's number nor first..last
// ORDER: error: option 'steps': step 0: op 1 reads value 1 before op 0 makes it
// RANGE: error: option 'steps': step 2: there is no op 2
func.func @two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.sin %a : tensor<4xf32>
  return %b : tensor<4xf32>
}
