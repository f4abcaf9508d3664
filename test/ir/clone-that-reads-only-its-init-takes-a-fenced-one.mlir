// An op whose only tensor operand is its init would merge with its clone: the clone's
// own empty tensor goes through the fence.
// RUN: remat-opt %s --remat-apply-schedule="fit=arena steps=0..2,0,3" | FileCheck %s

// CHECK-LABEL: @iota
// CHECK-COUNT-2: linalg.mul
// CHECK-NEXT:  %[[E:.*]] = tensor.empty
// CHECK-NEXT:  %[[F:.*]], %[[D:.*]] = remat.recompute from %[[E]] after
// CHECK-NEXT:  %[[G:.*]] = linalg.generic {{.*}} outs(%[[F]]
// CHECK:       linalg.add ins(%[[D]], %[[G]]
#id = affine_map<(i) -> (i)>
func.func @iota(%x: tensor<8xi64>) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %a = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
      outs(%e : tensor<8xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i64
    linalg.yield %v : i64
  } -> tensor<8xi64>
  %e1 = tensor.empty() : tensor<8xi64>
  %b = linalg.mul ins(%a, %x : tensor<8xi64>, tensor<8xi64>) outs(%e1 : tensor<8xi64>) -> tensor<8xi64>
  %e2 = tensor.empty() : tensor<8xi64>
  %c = linalg.mul ins(%b, %x : tensor<8xi64>, tensor<8xi64>) outs(%e2 : tensor<8xi64>) -> tensor<8xi64>
  %e3 = tensor.empty() : tensor<8xi64>
  %d = linalg.add ins(%c, %a : tensor<8xi64>, tensor<8xi64>) outs(%e3 : tensor<8xi64>) -> tensor<8xi64>
  return %d : tensor<8xi64>
}
