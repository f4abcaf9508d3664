// Names that a table has on ops that are nothing like them: whatever verifies is
// read.
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s
// RUN: remat-opt %s --remat-print-graph="fit=arena" -o /dev/null 2>&1 | FileCheck %s

// CHECK: peak
func.func @f(%i: i32, %t: tensor<4xf32>, %d: tensor<*xf32>, %u: tensor<ui32>) {
  "stablehlo.dot_general"() : () -> ()
  %0 = "stablehlo.dot_general"(%i) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_contracting_dimensions = [7, 99999999999]>}>
      : (i32) -> i32
  %1 = "stablehlo.dot_general"(%t, %i) <{dot_dimension_numbers = 3 : i32}>
      : (tensor<4xf32>, i32) -> tensor<0xf32>
  "stablehlo.convolution"(%t) : (tensor<4xf32>) -> ()
  %2 = "stablehlo.convolution"(%t, %t) <{dimension_numbers = "]x[o,o"}>
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.convolution"(%d, %d) : (tensor<*xf32>, tensor<*xf32>) -> ()
  "stablehlo.while"() ({}, {}) : () -> ()
  "stablehlo.while"(%t) ({
  ^bb0:
    "stablehlo.return"() : () -> ()
  }) : (tensor<4xf32>) -> ()
  "stablehlo.case"() : () -> ()
  "stablehlo.reshape"() : () -> ()
  %3 = "stablehlo.reshape"() : () -> tensor<4xf32>
  "stablehlo.reshape"(%t) : (tensor<4xf32>) -> ()
  %4 = "stablehlo.optimization_barrier"() : () -> tensor<4xf32>
  %5 = "stablehlo.reduce_window"(%t) <{window_dimensions = "no"}>
      : (tensor<4xf32>) -> tensor<4xf32>
  %6 = "stablehlo.constant"() <{value = 1.0 : f32}> : () -> i32
  %7 = "stablehlo.while"(%u) ({
  ^bb0(%c: tensor<ui32>):
    %n = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}>
        : () -> tensor<ui32>
    %p = "stablehlo.compare"(%c, %n)
        : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }) : (tensor<ui32>) -> tensor<ui32>
  "stablehlo.dynamic_update_slice"() : () -> ()
  %8 = "chlo.top_k"() : () -> tensor<4xf32>
  "bare"(%t) : (tensor<4xf32>) -> ()
  "stablehlo."(%t) : (tensor<4xf32>) -> ()
  return
}
