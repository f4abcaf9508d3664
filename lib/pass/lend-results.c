/* lib/pass/lend-results.c - results go into buffers that the caller lends.
 *
 * Each result of static shape of an entry function becomes an argument behind
 * the others, in the order of the results. A buffer that the function allocates
 * to return it is replaced by that argument, so that the result is computed
 * where the caller wants it; whatever else is returned (an argument, a view, a
 * constant, a buffer returned twice) is copied there at the end.
 *
 * Functions that the module calls keep their results.
 *
 * needs:  bufferized functions
 * keeps:  every value
 * breaks: callers outside of the module: they pass the buffers now */

#include "pass/ops.h"
#include "pass/passes.h"
#include "support/pool.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* The type of a function, taken apart. */
typedef struct Signature {
  RmPool *pool;
  MlirContext context;
  MlirOperation function;
  MlirType *inputs, *results;
  MlirAttribute *input_attributes, *result_attributes;
  intptr_t num_inputs, num_results;
} Signature;

static MlirAttribute element_or_empty(Signature *s, MlirAttribute array,
                                      intptr_t i) {
  return mlirAttributeIsNull(array) ? mlirDictionaryAttrGet(s->context, 0, NULL)
                                    : mlirArrayAttrGetElement(array, i);
}

static Signature read_signature(MlirOperation function, RmPool *pool) {
  Signature s = {pool, mlirOperationGetContext(function), function};
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("function_type")));
  MlirAttribute in =
      mlirOperationGetAttributeByName(function, rm_str("arg_attrs"));
  MlirAttribute out =
      mlirOperationGetAttributeByName(function, rm_str("res_attrs"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type);
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  s.inputs = RM_NEW_ARRAY(pool, MlirType, inputs + results);
  s.results = RM_NEW_ARRAY(pool, MlirType, results);
  s.input_attributes = RM_NEW_ARRAY(pool, MlirAttribute, inputs + results);
  s.result_attributes = RM_NEW_ARRAY(pool, MlirAttribute, results);
  for (; s.num_inputs < inputs; ++s.num_inputs) {
    s.inputs[s.num_inputs] = mlirFunctionTypeGetInput(type, s.num_inputs);
    s.input_attributes[s.num_inputs] = element_or_empty(&s, in, s.num_inputs);
  }
  for (; s.num_results < results; ++s.num_results) {
    s.results[s.num_results] = mlirFunctionTypeGetResult(type, s.num_results);
    s.result_attributes[s.num_results] =
        element_or_empty(&s, out, s.num_results);
  }
  return s;
}

/* An empty array is no valid value of these attributes. */
static void set_attributes(Signature *s, const char *name, intptr_t count,
                           const MlirAttribute *items) {
  if (count)
    mlirOperationSetAttributeByName(s->function, rm_str(name),
                                    mlirArrayAttrGet(s->context, count, items));
  else
    mlirOperationRemoveAttributeByName(s->function, rm_str(name));
}

static void write_signature(Signature *s) {
  MlirType type = mlirFunctionTypeGet(s->context, s->num_inputs, s->inputs,
                                      s->num_results, s->results);
  mlirOperationSetAttributeByName(s->function, rm_str("function_type"),
                                  mlirTypeAttrGet(type));
  set_attributes(s, "arg_attrs", s->num_inputs, s->input_attributes);
  set_attributes(s, "res_attrs", s->num_results, s->result_attributes);
}

static bool is_own_buffer(const Signature *s, MlirValue value) {
  MlirOperation op = rm_defining_op(value);
  return rm_op_is(op, "memref.alloc") &&
         mlirOperationEqual(mlirOperationGetParentOperation(op), s->function);
}

static void fill_argument(Signature *s, MlirOperation ret, MlirValue value,
                          MlirValue argument) {
  if (!is_own_buffer(s, value)) {
    rm_op_insert(ret, "memref.copy", 2, (MlirValue[]){value, argument},
                 (MlirType){NULL});
    return;
  }
  mlirValueReplaceAllUsesOfWith(value, argument);
  mlirOperationDestroy(rm_defining_op(value));
}

static bool can_be_lent(MlirType type) {
  return mlirTypeIsAMemRef(type) && mlirShapedTypeHasStaticShape(type);
}

/* An argument for result `i`, marked as upstream marks it. */
static MlirValue add_argument(Signature *s, MlirBlock body, intptr_t i) {
  MlirNamedAttribute mark = mlirNamedAttributeGet(
      mlirIdentifierGet(s->context, rm_str("bufferize.result")),
      mlirUnitAttrGet(s->context));
  s->inputs[s->num_inputs] = s->results[i];
  s->input_attributes[s->num_inputs++] =
      rm_dictionary_with(s->result_attributes[i], mark, s->pool);
  return mlirBlockAddArgument(body, s->results[i],
                              mlirOperationGetLocation(s->function));
}

/* Results that cannot be lent move up; returns how many were lent. */
static int64_t lend_results(Signature *s, MlirOperation ret) {
  intptr_t count = s->num_results;
  intptr_t *kept = RM_NEW_ARRAY(s->pool, intptr_t, count);
  MlirValue *values = RM_NEW_ARRAY(s->pool, MlirValue, count);
  s->num_results = 0;
  for (intptr_t i = 0; i < count; ++i)
    if (can_be_lent(s->results[i]))
      fill_argument(s, ret, mlirOperationGetOperand(ret, i),
                    add_argument(s, mlirOperationGetBlock(ret), i));
    else
      kept[s->num_results++] = i;
  for (intptr_t k = 0; k < s->num_results; ++k) {
    s->results[k] = s->results[kept[k]];
    s->result_attributes[k] = s->result_attributes[kept[k]];
    values[k] = mlirOperationGetOperand(ret, kept[k]);
  }
  mlirOperationSetOperands(ret, s->num_results, values);
  return count - s->num_results;
}

static int64_t lend(MlirOperation function, RmPool *pool) {
  MlirOperation ret = rm_yield_of(function, 0);
  if (!rm_op_is(ret, "func.return"))
    return 0;
  Signature s = read_signature(function, pool);
  int64_t lent = lend_results(&s, ret);
  if (lent)
    write_signature(&s);
  return lent;
}

bool rm_pass_lend_results(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  RmMap referred = rm_references(module, pool);
  int64_t lent = 0;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (rm_is_function_with_body(op) && !rm_is_referred_to(&referred, op))
      lent += lend(op, pool);
  rm_statistic_add(run, "lent", lent);
  if (!lent)
    rm_pass_unchanged(run);
  rm_pool_destroy(pool);
  return true;
}
