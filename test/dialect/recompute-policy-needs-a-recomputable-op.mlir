// Policy recompute on what must not run twice is refused, with the op and why.
// RUN: remat-opt %s --split-input-file --verify-diagnostics

func.func @marked() {
  // expected-note @+1 {{the value is computed here}}
  %r = "foo.rng"() {remat.recomputable = false} : () -> tensor<4xf32>
  // expected-error @+1 {{has policy recompute, but foo.rng is marked as not recomputable; use policy save}}
  %0 = remat.checkpoint %r policy recompute : tensor<4xf32>
  return
}

// -----

func.func @writes(%m: memref<4xf32>, %i: index, %x: f32) {
  // expected-note @+1 {{the value is computed here}}
  %old = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<4xf32>) -> f32
  // expected-error @+1 {{has policy recompute, but memref.atomic_rmw changes memory; use policy save}}
  %0 = remat.checkpoint %old policy recompute : f32
  return
}

// -----

// What the user marks as recomputable, and what nobody knows, is let through.
func.func @allowed(%m: memref<4xf32>, %i: index, %x: f32) {
  %old = memref.atomic_rmw addf %x, %m[%i] {remat.recomputable = true} : (f32, memref<4xf32>) -> f32
  %0 = remat.checkpoint %old policy recompute : f32
  %u = "foo.unknown"() : () -> f32
  %1 = remat.checkpoint %u policy recompute : f32
  %2 = remat.checkpoint %x policy recompute : f32
  return
}
