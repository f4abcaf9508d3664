// A pipeline option's passes have their dialects loaded before anything runs.
// RUN: %test_passes %s 2>&1 -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(test-nested{clone checked={func.func(convert-linalg-to-affine-loops),convert-vector-to-llvm,convert-shape-to-std,gpu-kernel-outlining}})' | FileCheck %s

// CHECK: func.func @f
func.func @f() {
  return
}
