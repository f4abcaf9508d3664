// RUN: not remat-opt %s --remat-verify="original=%s plan-in=%t.absent" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: echo 'steps' > %t.text
// RUN: not remat-opt %s --remat-verify="original=%s plan-in=%t.text" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: echo '{"remat_plan": 7}' > %t.version
// RUN: not remat-opt %s --remat-verify="original=%s plan-in=%t.version" 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: echo '{"remat_plan": 1, "functions": [{"name": "f", "fit": "live", "steps": [0, 5]}]}' > %t.steps
// RUN: not remat-opt %s --remat-verify="original=%s plan-in=%t.steps" 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: echo '{"remat_plan": 1, "functions": [{"name": "f", "steps": [0, "x"]}]}' > %t.words
// RUN: not remat-opt %s --remat-verify="original=%s plan-in=%t.words" 2>&1 | FileCheck %s --check-prefix=WORDS

// ABSENT:  error: option 'plan-in': '{{.*}}absent' cannot be read: No such file
// TEXT:    error: option 'plan-in': '{{.*}}text' is not JSON
// VERSION: error: option 'plan-in': '{{.*}}version' is no plan of version 1
// STEPS:   error: option 'plan-in': the plan in '{{.*}}steps': step 1: there is no op 5
// WORDS:   error: option 'plan-in': the plan in '{{.*}}words': has steps that are no numbers
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = math.exp %x : tensor<4xf32>
  return %a : tensor<4xf32>
}
