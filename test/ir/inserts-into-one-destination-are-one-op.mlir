// A chain of inserts is one op, so that its destination is there once. Inserts
// far from the last one join only if what they insert lives until there anyway.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK:      %1 = math.exp (%0)
// CHECK-NEXT: %2 = math.log (%0)
// CHECK-NEXT: %3 = tensor.insert_slice +2 (%1, %2) : 32 B returned,
// CHECK-NEXT: peak 32,
func.func @near(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = math.exp %x : tensor<4xf32>
  %b = math.log %x : tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK:      %1 = math.exp (%0)
// CHECK-NEXT: %2 = tensor.insert_slice +1 (%1)
// CHECK-NEXT: %3 = math.log (%0)
// CHECK-NEXT: %4 = tensor.insert_slice (%3, %2)
func.func @far(%x: tensor<4xf32>) -> tensor<8xf32> {
  %a = math.exp %x : tensor<4xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %b = math.log %x : tensor<4xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK:      %1 = math.log (%0)
// CHECK-NEXT: %2 = tensor.insert_slice +2 (%0, %1)
func.func @far_but_alive(%x: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %b = math.log %x : tensor<4xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}
