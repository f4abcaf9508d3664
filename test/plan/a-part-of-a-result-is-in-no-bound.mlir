// The sum is computed where it is inserted, though that is only what the next op
// starts from: the arena needs no room for both, and the bound must not say so.
// RUN: not remat-opt %s --remat-plan=budget=2 -o /dev/null 2>&1 | FileCheck %s

// CHECK: the smallest arena found is 64 bytes, and none is below 64 bytes

#id = affine_map<(i) -> (i)>

func.func @main(%a: tensor<16xf32>, %d: tensor<16xf32>, %p: tensor<16xf32>) -> tensor<16xf32> {
  %e0 = tensor.empty() : tensor<16xf32>
  %d1 = linalg.exp ins(%d : tensor<16xf32>) outs(%e0 : tensor<16xf32>) -> tensor<16xf32>
  %e3 = tensor.empty() : tensor<16xf32>
  %d0 = linalg.exp ins(%d1 : tensor<16xf32>) outs(%e3 : tensor<16xf32>) -> tensor<16xf32>
  %e1 = tensor.empty() : tensor<12xf32>
  %a0 = tensor.extract_slice %a[0] [12] [1] : tensor<16xf32> to tensor<12xf32>
  %a1 = tensor.extract_slice %a[4] [12] [1] : tensor<16xf32> to tensor<12xf32>
  %b = linalg.add ins(%a0, %a1 : tensor<12xf32>, tensor<12xf32>) outs(%e1 : tensor<12xf32>) -> tensor<12xf32>
  %i = tensor.insert_slice %b into %d0[0] [12] [1] : tensor<12xf32> into tensor<16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%p : tensor<16xf32>) outs(%i : tensor<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.addf %x, %o : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  %e2 = tensor.empty() : tensor<16xf32>
  %t = linalg.exp ins(%s : tensor<16xf32>) outs(%e2 : tensor<16xf32>) -> tensor<16xf32>
  return %t : tensor<16xf32>
}
