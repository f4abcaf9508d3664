/* lib/pass/protect-arguments.c - arguments are not written unless donated.
 *
 * Bufferization takes the arguments of a function for its own and writes to
 * them when it saves a copy. A caller that keeps its buffers would find them
 * changed, so each tensor argument that nobody gave away (`tf.aliasing_output`,
 * `jax.buffer_donor`) is marked `bufferization.writable = false`. A mark that
 * is there already stands.
 *
 * Private functions that the module calls are left alone: their callers are
 * known to bufferization.
 *
 * needs:  tensors, before bufferization
 * keeps:  all else
 * breaks: nothing */

#include "pass/ops.h"
#include "pass/passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool has(MlirAttribute dictionary, const char *name) {
  return !mlirAttributeIsNull(dictionary) &&
         !mlirAttributeIsNull(
             mlirDictionaryAttrGetElementByName(dictionary, rm_str(name)));
}

static MlirNamedAttribute writable(MlirContext context, bool value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(context, rm_str("bufferization.writable")),
      mlirBoolAttrGet(context, value));
}

static int64_t protect(MlirOperation function, RmPool *pool) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  intptr_t count = mlirBlockGetNumArguments(body);
  MlirAttribute old =
      mlirOperationGetAttributeByName(function, rm_str("arg_attrs"));
  MlirAttribute *all = RM_NEW_ARRAY(pool, MlirAttribute, count);
  int64_t marked = 0;
  for (intptr_t i = 0; i < count; ++i) {
    all[i] = mlirAttributeIsNull(old) ? mlirDictionaryAttrGet(context, 0, NULL)
                                      : mlirArrayAttrGetElement(old, i);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    if (!mlirTypeIsATensor(type) || has(all[i], "bufferization.writable"))
      continue;
    bool donated =
        has(all[i], "tf.aliasing_output") || has(all[i], "jax.buffer_donor");
    all[i] = rm_dictionary_with(all[i], writable(context, donated), pool);
    marked += !donated;
  }
  mlirOperationSetAttributeByName(function, rm_str("arg_attrs"),
                                  mlirArrayAttrGet(context, count, all));
  return marked;
}

bool rm_pass_protect_arguments(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  RmMap referred = rm_references(module, pool);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (rm_is_function_with_body(op) &&
        (!rm_is_private(op) || !rm_is_referred_to(&referred, op)))
      rm_statistic_add(run, "protected", protect(op, pool));
  rm_pool_destroy(pool);
  return true;
}
