/* lib/model/target.c - the machine that times are predicted for.
 *
 * The built-in target is one core of a present-day server CPU running what our
 * own lowering makes; it is the same on every host, so that plans are. */
#include "model/table.h"

#include "mlir-c/BuiltinAttributes.h"

static const RmTarget built_in = {
    .flops_per_ns = {20.0, 40.0, 20.0, 20.0},
    .bytes_per_ns = 10.0,
    .launch_ns = 100,
};

static MlirAttribute find_target(MlirOperation scope) {
  MlirStringRef name = mlirStringRefCreateFromCString("remat.target");
  for (; !mlirOperationIsNull(scope);
       scope = mlirOperationGetParentOperation(scope)) {
    MlirAttribute target =
        mlirOperationGetDiscardableAttributeByName(scope, name);
    if (!mlirAttributeIsNull(target) && mlirAttributeIsADictionary(target))
      return target;
  }
  return mlirAttributeGetNull();
}

/* `otherwise` where the key is missing or its value is no number above 0. */
static double read_rate(MlirAttribute target, const char *key,
                        double otherwise) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      target, mlirStringRefCreateFromCString(key));
  double number = 0;
  int64_t integer;
  if (rm_read_integer(value, &integer))
    number = (double)integer;
  else if (!mlirAttributeIsNull(value) && mlirAttributeIsAFloat(value))
    number = mlirFloatAttrGetValueDouble(value);
  return number > 0 ? number : otherwise;
}

static int64_t read_launch(MlirAttribute target) {
  MlirAttribute value = mlirDictionaryAttrGetElementByName(
      target, mlirStringRefCreateFromCString("launch"));
  int64_t launch;
  return rm_read_integer(value, &launch) && launch >= 0 ? launch
                                                        : built_in.launch_ns;
}

RmTarget rm_target_of(MlirOperation module) {
  static const char *const keys[] = {"f64", "f32", "f16", "int"};
  RmTarget target = built_in;
  MlirAttribute given = find_target(module);
  if (mlirAttributeIsNull(given))
    return target;
  for (int i = 0; i < 4; ++i)
    target.flops_per_ns[i] =
        read_rate(given, keys[i], built_in.flops_per_ns[i]);
  target.bytes_per_ns = read_rate(given, "bandwidth", built_in.bytes_per_ns);
  target.launch_ns = read_launch(given);
  return target;
}
