// A call is neither made again nor moved; what it is given may be made again.
// RUN: remat-opt %s --remat-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK: %1 = math.exp (%0) : 256 B, cost {{[0-9]+$}}
// CHECK: func.call (%1) : cost {{[0-9]+}}, fixed
// CHECK: %2 = math.log (%1) : 256 B returned, cost {{[0-9]+$}}
func.func private @log(tensor<64xf32>)
func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %t = math.exp %x : tensor<64xf32>
  call @log(%t) : (tensor<64xf32>) -> ()
  %y = math.log %t : tensor<64xf32>
  return %y : tensor<64xf32>
}
