// Sizes and scalars are worked out in registers: free to hold and to make again,
// whatever is kept for being small. fit=live counts their bytes as its judge does.
// RUN: remat-opt %s --remat-print-graph="fit=arena min-size=64" -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARENA
// RUN: remat-opt %s --remat-print-graph="fit=live" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIVE

// ARENA: tensor.dim (%0) : 0 B, cost 0{{$}}
// ARENA: arith.muli (%1) : 0 B, cost 0{{$}}
// ARENA: tensor.extract (%0, %2) : 0 B, cost 0{{$}}
// ARENA: tensor.splat (%3) : 16 B, cost {{[0-9]+}}, kept
// LIVE:  tensor.dim (%0) : 8 B, cost 0{{$}}
// LIVE:  tensor.extract (%0, %2) : 4 B, cost 0{{$}}
func.func @f(%x: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %x, %c0 : tensor<4xf32>
  %1 = arith.muli %0, %c0 : index
  %2 = tensor.extract %x[%1] : tensor<4xf32>
  %3 = tensor.splat %2 : tensor<4xf32>
  return
}
