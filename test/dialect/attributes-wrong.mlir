// Attributes of a wrong kind or in a wrong place are refused.
// RUN: remat-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{attribute 'remat.cost' must be an i64 that is not negative}}
"foo.op"() {remat.cost = -1 : i64} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.cost' must be an i64 that is not negative}}
"foo.op"() {remat.cost = 1.0 : f32} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.workspace' must be an i64 that is not negative}}
"foo.op"() {remat.workspace = 1 : i32} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.recomputable' must be true or false}}
"foo.op"() {remat.recomputable = "yes"} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.alias' must be an array of pairs [result, operand]}}
"foo.op"() {remat.alias = [0, 0]} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.alias' names a result that the op does not have}}
"foo.op"() {remat.alias = [[0, 0]]} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.alias' names an operand that the op does not have}}
%0 = "foo.op"() {remat.alias = [[0, 0]]} : () -> f32

// -----

// expected-error @+1 {{attribute 'remat.target' belongs on a module}}
func.func private @f() attributes {remat.target = {}}

// -----

// expected-error @+1 {{attribute 'remat.target' must be a dictionary}}
module attributes {remat.target = 3} {}

// -----

// expected-error @+1 {{attribute 'remat.plan' belongs on a function}}
"foo.op"() {remat.plan = {}} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.offsets' belongs on an op that makes a memref}}
"foo.op"() {remat.offsets = array<i64: 0, 4>} : () -> ()

// -----

// expected-error @+1 {{attribute 'remat.offsets' must be an array<i64> of offset and bytes of each buffer}}
%0 = "foo.op"() {remat.offsets = array<i64: 0>} : () -> memref<4xi8>

// -----

// expected-error @+1 {{attribute 'remat.costs' is unknown; known are remat.alias remat.arena_bytes remat.cost}}
"foo.op"() {remat.costs = 1 : i64} : () -> ()

// -----

// expected-error @+1 {{argument #0 cannot have attribute 'remat.cost'}}
func.func private @f(f32 {remat.cost = 1 : i64})

// -----

// expected-error @+1 {{attribute 'remat.target' has 'f32', which must be a number above 0}}
module attributes {remat.target = {f32 = 0.0}} {}

// -----

// expected-error @+1 {{attribute 'remat.target' has 'launch', which must be an integer from 0}}
module attributes {remat.target = {launch = -1}} {}
