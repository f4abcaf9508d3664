// Several blocks, and sizes or costs that no 64-bit sum holds.
// RUN: remat-opt %s --split-input-file --verify-diagnostics --remat-print-graph

// expected-error @+1 {{a function with several blocks cannot be planned: turn its branches into scf ops (--lift-cf-to-scf)}}
func.func @blocks(%p: i1) {
  cf.cond_br %p, ^a, ^b
^a:
  return
^b:
  return
}

// -----

func.func @sizes(%x: tensor<4294967296x4294967296xf64>) {
  // expected-error @+1 {{sizes, in bytes, add up to 2^53 or more}}
  %0 = math.exp %x : tensor<4294967296x4294967296xf64>
  return
}

// -----

func.func @costs(%x: tensor<4xf32>) {
  // expected-error @+1 {{costs add up to 2^53 or more}}
  %0 = math.exp %x {remat.cost = 9223372036854775807 : i64} : tensor<4xf32>
  return
}
