/* test/unit/mlir/model-test.c - tables of op models, and bytes of types. */
#include "model/table.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/RegisterEverything.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static MlirContext make_context(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextSetAllowUnregisteredDialects(context, true);
  return context;
}

static void tables_are_sorted(void **state) {
  (void)state;
  for (int t = 0; t < rm_num_op_tables; ++t) {
    const RmOpTable *table = rm_op_tables[t];
    if (t)
      assert_true(strcmp(rm_op_tables[t - 1]->dialect, table->dialect) < 0);
    for (int i = 1; i < table->count; ++i)
      assert_true(strcmp(table->rows[i - 1].name, table->rows[i].name) < 0);
  }
}

static bool has_row(MlirContext context, const char *name) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(name), mlirLocationUnknownGet(context));
  MlirOperation op = mlirOperationCreate(&state);
  bool found = rm_op_row(op);
  mlirOperationDestroy(op);
  return found;
}

static void names_are_found_whole(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  mlirContextSetAllowUnregisteredDialects(context, true);
  assert_true(has_row(context, "stablehlo.add"));
  assert_true(has_row(context, "stablehlo.cross-replica-sum"));
  assert_true(has_row(context, "scf.forall.in_parallel"));
  assert_false(has_row(context, "stablehlo.ad"));
  assert_false(has_row(context, "stablehlo.addx"));
  assert_false(has_row(context, "stablehl.add"));
  assert_false(has_row(context, "stablehlox.add"));
  assert_false(has_row(context, "stablehlo."));
  assert_false(has_row(context, "add"));
  mlirContextDestroy(context);
}

/* What training steps from JAX and PyTorch hold. */
static const char *const met[] = {"arith.addf",
                                  "arith.addi",
                                  "arith.andi",
                                  "arith.bitcast",
                                  "arith.cmpf",
                                  "arith.cmpi",
                                  "arith.constant",
                                  "arith.divf",
                                  "arith.extf",
                                  "arith.index_cast",
                                  "arith.maximumf",
                                  "arith.maxsi",
                                  "arith.minsi",
                                  "arith.mulf",
                                  "arith.negf",
                                  "arith.ori",
                                  "arith.select",
                                  "arith.shli",
                                  "arith.shrui",
                                  "arith.sitofp",
                                  "arith.subf",
                                  "arith.subi",
                                  "arith.truncf",
                                  "arith.trunci",
                                  "arith.uitofp",
                                  "arith.xori",
                                  "chlo.erfc",
                                  "chlo.square",
                                  "chlo.top_k",
                                  "func.call",
                                  "func.return",
                                  "linalg.batch_matmul",
                                  "linalg.conv_2d_nhwc_hwcf",
                                  "linalg.depthwise_conv_2d_nhwc_hwc",
                                  "linalg.fill",
                                  "linalg.generic",
                                  "linalg.index",
                                  "linalg.matmul",
                                  "linalg.pooling_nhwc_sum",
                                  "linalg.transpose",
                                  "linalg.yield",
                                  "math.absf",
                                  "math.erf",
                                  "math.exp",
                                  "math.fpowi",
                                  "math.log",
                                  "math.powf",
                                  "math.rsqrt",
                                  "math.sqrt",
                                  "math.tanh",
                                  "scf.for",
                                  "scf.if",
                                  "scf.yield",
                                  "stablehlo.abs",
                                  "stablehlo.add",
                                  "stablehlo.and",
                                  "stablehlo.bitcast_convert",
                                  "stablehlo.broadcast_in_dim",
                                  "stablehlo.case",
                                  "stablehlo.clamp",
                                  "stablehlo.compare",
                                  "stablehlo.concatenate",
                                  "stablehlo.constant",
                                  "stablehlo.convert",
                                  "stablehlo.convolution",
                                  "stablehlo.cosine",
                                  "stablehlo.divide",
                                  "stablehlo.dot_general",
                                  "stablehlo.dynamic_slice",
                                  "stablehlo.dynamic_update_slice",
                                  "stablehlo.exponential",
                                  "stablehlo.exponential_minus_one",
                                  "stablehlo.gather",
                                  "stablehlo.iota",
                                  "stablehlo.log",
                                  "stablehlo.log_plus_one",
                                  "stablehlo.maximum",
                                  "stablehlo.minimum",
                                  "stablehlo.multiply",
                                  "stablehlo.negate",
                                  "stablehlo.optimization_barrier",
                                  "stablehlo.or",
                                  "stablehlo.pad",
                                  "stablehlo.power",
                                  "stablehlo.reduce",
                                  "stablehlo.reduce_window",
                                  "stablehlo.remainder",
                                  "stablehlo.reshape",
                                  "stablehlo.return",
                                  "stablehlo.reverse",
                                  "stablehlo.rng_bit_generator",
                                  "stablehlo.rsqrt",
                                  "stablehlo.scatter",
                                  "stablehlo.select",
                                  "stablehlo.select_and_scatter",
                                  "stablehlo.shift_left",
                                  "stablehlo.shift_right_logical",
                                  "stablehlo.sine",
                                  "stablehlo.slice",
                                  "stablehlo.sort",
                                  "stablehlo.sqrt",
                                  "stablehlo.subtract",
                                  "stablehlo.tanh",
                                  "stablehlo.transpose",
                                  "stablehlo.while",
                                  "stablehlo.xor",
                                  "tensor.collapse_shape",
                                  "tensor.concat",
                                  "tensor.empty",
                                  "tensor.expand_shape",
                                  "tensor.extract",
                                  "tensor.extract_slice",
                                  "tensor.insert_slice",
                                  "tensor.pad",
                                  "tensor.yield"};

/* Registered ops can hide behind their interfaces; here rows are asked. */
static void ops_of_training_steps_have_rows(void **state) {
  (void)state;
  MlirContext context = mlirContextCreate();
  mlirContextSetAllowUnregisteredDialects(context, true);
  for (size_t i = 0; i < sizeof met / sizeof *met; ++i)
    if (!has_row(context, met[i]))
      fail_msg("%s has no row", met[i]);
  mlirContextDestroy(context);
}

static int64_t bytes_of(MlirContext context, const char *text) {
  MlirType type =
      mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirTypeIsNull(type));
  return rm_type_bytes(type);
}

static void bytes_follow_the_type(void **state) {
  (void)state;
  static const struct {
    const char *type;
    int64_t bytes;
  } cases[] = {
      {"i1", 1},
      {"i4", 1},
      {"i65", 9},
      {"index", 8},
      {"bf16", 2},
      {"f8E5M2", 1},
      {"complex<f64>", 16},
      {"none", 0},
      {"tensor<f32>", 4},
      {"tensor<3x5xi1>", 15},
      {"tensor<3x5xi4>", 15},
      {"tensor<0x5xf32>", 0},
      {"tensor<2x!quant.uniform<i8:f32, 1.0>>", 2},
      {"tensor<2xcomplex<f32>>", 16},
      {"complex<i1>", 2},
      {"memref<2xvector<[4]xf32>>", -1},
      {"tensor<?x4xf32>", -1},
      {"tensor<*xf32>", -1},
      {"vector<4x2xf32>", 32},
      {"tensor<2xvector<4xf16>>", 16},
      {"vector<[4]xf32>", -1},
      {"memref<3x5xf64, strided<[8, 1]>>", 120},
      {"memref<?xf64>", -1},
      {"tuple<tensor<2xf32>, i1>", 9},
      {"tuple<tensor<?xf32>, i1>", -1},
      {"!foo.token", 0},
      {"() -> f32", 0},
      {"tensor<4294967296x4294967296xf32>", INT64_MAX},
      {"tensor<4294967296x4294967296x0xf32>", 0},
  };
  MlirContext context = make_context();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    int64_t bytes = bytes_of(context, cases[i].type);
    if (bytes != cases[i].bytes)
      fail_msg("%s: %lld bytes", cases[i].type, (long long)bytes);
  }
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_sorted),
      cmocka_unit_test(names_are_found_whole),
      cmocka_unit_test(ops_of_training_steps_have_rows),
      cmocka_unit_test(bytes_follow_the_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
