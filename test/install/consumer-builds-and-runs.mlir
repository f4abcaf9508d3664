// Installed, a C program out of our tree finds the package, builds and runs;
// uninstalled, nothing is left.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %cmake --install %build --prefix %t/prefix > %t/log
// RUN: %cmake -S %root/examples/consumer -B %t/build -G Ninja -DCMAKE_PREFIX_PATH=%t/prefix -DCMAKE_C_COMPILER=%cc -DCMAKE_CXX_COMPILER=%cxx > %t/log
// RUN: %cmake --build %t/build > %t/log
// RUN: %t/build/consumer "canonicalize,remat-unshare-inits" < %s | FileCheck %s
// RUN: not %t/build/consumer "remat-unshare-inits{foo=1}" < %s 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %t/prefix/bin/remat-opt %s | FileCheck %s
// RUN: %cmake -P %t/prefix/lib/cmake/Remat/uninstall.cmake > %t/log 2>&1
// RUN: not ls %t/prefix
//
// What is not ours stays, hidden or not.
// RUN: %cmake --install %build --prefix %t/prefix > %t/log
// RUN: touch %t/prefix/lib/.hidden
// RUN: %cmake -P %t/prefix/lib/cmake/Remat/uninstall.cmake > %t/log 2>&1
// RUN: ls -A %t/prefix/lib | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: {{.}}
// KEPT: {{^}}.hidden{{$}}
// KEPT-NOT: {{.}}

// BAD: no such option foo

// CHECK-LABEL: @f
// CHECK: remat.recompute from %arg0 after %arg1
func.func @f(%x: tensor<4xf32>, %g: tensor<4xf32>) -> tensor<4xf32> {
  %x1, %g1 = remat.recompute from %x after %g : tensor<4xf32> after tensor<4xf32>
  %y = "foo.op"(%x1, %g1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
