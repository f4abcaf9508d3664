/* lib/pass/entry-points.c - notes what a function takes and gives.
 *
 * Lowering turns a tensor into a pointer or seven numbers, and a result into
 * one more argument. Whoever calls the lowered function must know what it was:
 * each public function with a body gets
 *
 *     remat.entry = {donated = array<i64: ...>, type = (...) -> (...)}
 *
 * with its type as it is now, and the numbers of the arguments that it may
 * overwrite. The attribute survives down to LLVM's dialect. Results come to be
 * the last arguments, in order. In a function that is bufferized already, the
 * arguments marked `bufferize.result` are its results.
 *
 * needs:  nothing
 * keeps:  everything else
 * breaks: nothing */

#include "pass/ops.h"
#include "pass/passes.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct Entry {
  RM_VEC(MlirType) inputs, results;
  RM_VEC(int64_t) donated;
} Entry;

static MlirAttribute attribute_of(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, rm_str(name));
}

static bool is_public_function(MlirOperation op) {
  if (!rm_op_is(op, "func.func"))
    return false;
  MlirAttribute visibility = attribute_of(op, "sym_visibility");
  bool is_public =
      mlirAttributeIsNull(visibility) ||
      mlirStringRefEqual(mlirStringAttrGetValue(visibility), rm_str("public"));
  return is_public && !mlirBlockIsNull(mlirRegionGetFirstBlock(
                          mlirOperationGetRegion(op, 0)));
}

static MlirType type_of(MlirOperation function) {
  return mlirTypeAttrGetValue(attribute_of(function, "function_type"));
}

static bool is_bufferized(MlirType function) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(function); ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetInput(function, i)))
      return false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(function); ++i)
    if (mlirTypeIsATensor(mlirFunctionTypeGetResult(function, i)))
      return false;
  return true;
}

static bool is_donated(MlirOperation function, intptr_t i) {
  MlirAttribute writable =
      rm_argument_attribute(function, i, "bufferization.writable");
  return !mlirAttributeIsNull(
             rm_argument_attribute(function, i, "tf.aliasing_output")) ||
         !mlirAttributeIsNull(
             rm_argument_attribute(function, i, "jax.buffer_donor")) ||
         (!mlirAttributeIsNull(writable) && mlirAttributeIsABool(writable) &&
          mlirBoolAttrGetValue(writable));
}

static Entry read_entry(MlirOperation function, RmPool *pool) {
  Entry entry = {0};
  MlirType type = type_of(function);
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (!mlirAttributeIsNull(
            rm_argument_attribute(function, i, "bufferize.result"))) {
      rm_vec_push(pool, &entry.results, input);
      continue;
    }
    if (is_donated(function, i))
      rm_vec_push(pool, &entry.donated, (int64_t)entry.inputs.count);
    rm_vec_push(pool, &entry.inputs, input);
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    rm_vec_push(pool, &entry.results, mlirFunctionTypeGetResult(type, i));
  return entry;
}

static void write_entry(MlirOperation function, const Entry *entry) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType type = mlirFunctionTypeGet(
      context, (intptr_t)entry->inputs.count, entry->inputs.items,
      (intptr_t)entry->results.count, entry->results.items);
  MlirNamedAttribute fields[2] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str("donated")),
                            mlirDenseI64ArrayGet(context,
                                                 (intptr_t)entry->donated.count,
                                                 entry->donated.items)),
      mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str("type")),
                            mlirTypeAttrGet(type))};
  mlirOperationSetDiscardableAttributeByName(
      function, rm_str("remat.entry"),
      mlirDictionaryAttrGet(context, 2, fields));
}

static bool is_noted(MlirOperation function) {
  return is_bufferized(type_of(function)) &&
         !mlirAttributeIsNull(attribute_of(function, "remat.entry"));
}

bool rm_pass_entry_points(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  int64_t count = 0;
  MlirBlock block = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (!is_public_function(op) || is_noted(op))
      continue;
    Entry entry = read_entry(op, pool);
    write_entry(op, &entry);
    ++count;
  }
  rm_statistic_add(run, "entries", count);
  if (!count)
    rm_pass_unchanged(run);
  rm_pool_destroy(pool);
  return true;
}
