// One pass on many functions at once: each run has its own options.
// RUN: %test_passes %s -o /dev/null 2>&1 \
// RUN:   --pass-pipeline='builtin.module(func.func(test-options{number=5}))' \
// RUN:   | FileCheck %s

// CHECK-COUNT-8: number=5
func.func private @a()
func.func private @b()
func.func private @c()
func.func private @d()
func.func private @e()
func.func private @f()
func.func private @g()
func.func private @h()
