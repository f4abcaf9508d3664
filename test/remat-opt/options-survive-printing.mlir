// Options of our passes are printed so that they are read back as they were,
// braces and spaces included.
// RUN: remat-opt %s --remat-plan="budget=50%% fit=live pin={save:a b;recompute:*c*} lowering={func.func(canonicalize{max-iterations=2}),cse}" \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s
// RUN: remat-opt %s --pass-pipeline='builtin.module(remat-plan{budget=50%% fit=live lowering={func.func(canonicalize{max-iterations=2}),cse} pin={save:a b;recompute:*c*}})' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s

// CHECK: remat-plan{{.*}}budget=50%{{.*}}lowering={func.func(canonicalize{max-iterations=2}),cse}{{.*}}pin={save:a b;recompute:*c*}
module {}
