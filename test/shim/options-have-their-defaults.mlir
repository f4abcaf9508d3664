// RUN: %test_passes %s --pass-pipeline='any(test-options)' 2>&1 \
// RUN:   -o /dev/null --dump-pass-pipeline | FileCheck %s

// CHECK: test-options{choice=auto flag=false {{.*}}number=-3 size=4KiB text={some text}}
// CHECK: remark: flag=0 number=-3 size=4096 choice=0
// CHECK: remark: text=<some text>
// CHECK-NOT: item
module {}
