// Unknown and malformed options are refused before anything runs.
// RUN: not remat-opt %s --remat-plan="bugdet=1" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not remat-opt %s --remat-plan="strategy=best" 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not remat-opt %s --remat-plan="n=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not remat-opt %s --remat-plan="reserve=4Kb" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not remat-opt %s --remat-plan="lowering=nonsense" 2>&1 | FileCheck %s --check-prefix=PASSES

// UNKNOWN: no such option bugdet
// CHOICE: for the --strategy option: 'best' is none of auto|keep-all|
// NUMBER: for the -n option: 'many' value invalid
// SIZE: for the --reserve option: '4Kb' is no size
// PASSES: for the --lowering option: not a pass pipeline: 'nonsense' does not refer
module {}
