// RUN: not remat-opt %s --remat-plan-memory="alignment=48" 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not remat-opt %s --remat-plan-memory="effort=4" 2>&1 | FileCheck %s --check-prefix=EFFORT
// RUN: not remat-opt %s --remat-plan-memory="arena=stack" 2>&1 | FileCheck %s --check-prefix=ARENA

// ALIGNMENT: error: remat-plan-memory: alignment is 48, it must be a power of two
// EFFORT: error: remat-plan-memory: effort is 4, it must be 0 to 3
// ARENA: stack
func.func @f() {
  return
}
