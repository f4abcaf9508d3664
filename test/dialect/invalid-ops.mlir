// Wrong ops are told at the op, with what would be right.
// RUN: remat-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{result #0 must be of its operand's type 'tensor<4xf32>', not 'tensor<4xf64>'}}
  %0 = "remat.recompute"(%x) <{operandSegmentSizes = array<i32: 1, 0>}> : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 operands, so it must have as many results, not 1}}
  %0 = "remat.recompute"(%x, %x) <{operandSegmentSizes = array<i32: 1, 1>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{needs at least one value to recompute from}}
  %0 = "remat.recompute"(%x) <{operandSegmentSizes = array<i32: 0, 1>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{requires the same type for all operands and results}}
  %0 = "remat.checkpoint"(%x) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{policy is save, recompute or offload}}
  %0 = remat.checkpoint %x policy keep : tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{attribute 'policy' failed to satisfy constraint: save, recompute or offload}}
  %0 = "remat.checkpoint"(%x) <{policy = "keep"}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}
