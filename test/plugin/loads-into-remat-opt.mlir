// A program that has the dialect and the passes already may load the plug-in.
// RUN: remat-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s | FileCheck %s

// CHECK: remat.checkpoint
func.func @f(%x: f32) -> f32 {
  %s = remat.checkpoint %x : f32
  return %s : f32
}
