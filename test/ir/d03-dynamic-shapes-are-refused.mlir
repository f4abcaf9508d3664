// A size that counts and is not known is an error that names the dimension, at
// the op; one that does not count is nobody's business.
// RUN: remat-opt %s --split-input-file --verify-diagnostics --remat-print-graph

func.func @uncounted(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = math.exp %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @counted(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  // expected-error @+1 {{dimension 1 of 'tensor<4x?xf32>' is not known, so neither is what it takes in memory: give it a static size to plan this function}}
  %0 = math.exp %x : tensor<4x?xf32>
  %1 = math.exp %0 : tensor<4x?xf32>
  return %1 : tensor<4x?xf32>
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @+1 {{what 'tensor<*xf32>' takes in memory is not known}}
  %0 = math.exp %x : tensor<*xf32>
  return
}

// -----

func.func @inside(%x: tensor<?xf32>, %p: i1) {
  // expected-error @+1 {{a value inside has a dynamic shape}}
  scf.if %p {
    %0 = math.exp %x : tensor<?xf32>
    %1 = math.exp %0 : tensor<?xf32>
  }
  return
}
