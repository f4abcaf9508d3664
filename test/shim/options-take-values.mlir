// RUN: %test_passes %s -o /dev/null 2>&1 --pass-pipeline='builtin.module( \
// RUN:   test-options{flag number=7 size=0.5GiB choice=live list=a,{b,c},d \
// RUN:   text={fuse{a=b c={d e}},func.func(x)}})' | FileCheck %s

// CHECK: remark: flag=1 number=7 size=536870912 choice=2
// CHECK: remark: text=<fuse{a=b c={d e}},func.func(x)>
// CHECK: remark: item=<a>
// CHECK: remark: item=<b,c>
// CHECK: remark: item=<d>
module {}
