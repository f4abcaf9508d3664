/* lib/pass/verify-plan.c - a planned function against a plan file.
 *
 * The plan is carried out once more, on the original, and the outcome must be
 * the planned function, op by op. What may be recomputed is not asked here: the
 * user may have pinned values, and ir/compare.h has settled what is right. */
#include "pass/verify-plan.h"
#include "ir/compare.h"
#include "ir/ir.h"
#include "pass/ops.h"
#include "shim/shim.h"
#include "support/file.h"

#include "mlir-c/BuiltinAttributes.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VERSION = 1 };

struct RmPlanText {
  cJSON *root;
  const cJSON *functions;
  const char *path;
};

static const char *find_fault(const cJSON *root) {
  const cJSON *version = cJSON_GetObjectItem(root, "remat_plan");
  if (!cJSON_IsObject(root))
    return "is not JSON";
  if (!cJSON_IsNumber(version) || version->valueint != VERSION)
    return "is no plan of version 1";
  return cJSON_IsArray(cJSON_GetObjectItem(root, "functions"))
             ? NULL
             : "has no list of functions";
}

RmPlanText *rm_plan_text_read(const char *path, MlirLocation where,
                              RmPool *pool) {
  char *text = rm_read_file(path, pool);
  cJSON *root = text ? cJSON_Parse(text) : NULL;
  const char *fault = text ? find_fault(root) : strerror(errno);
  if (fault) {
    rm_emit(RM_ERROR, where, "option 'plan-in': '%s' %s%s", path,
            text ? "" : "cannot be read: ", fault);
    cJSON_Delete(root);
    return NULL;
  }
  RmPlanText *plan = RM_NEW(pool, RmPlanText);
  *plan = (RmPlanText){.root = root,
                       .functions = cJSON_GetObjectItem(root, "functions"),
                       .path = path};
  return plan;
}

void rm_plan_text_destroy(RmPlanText *plan) {
  if (plan)
    cJSON_Delete(plan->root);
}

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
}

static const cJSON *find_entry(const RmPlanText *plan, MlirOperation function) {
  const cJSON *entry;
  cJSON_ArrayForEach(entry, plan->functions) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "name"));
    if (name && mlirStringRefEqual(rm_str(name), name_of(function)))
      return entry;
  }
  return NULL;
}

/*===-- The record --------------------------------------------------------===*/

/* What `remat.plan` and the file both say must be the same. */
static bool check_number(const cJSON *entry, MlirOperation function,
                         MlirAttribute record, const char *name) {
  const cJSON *in_file = cJSON_GetObjectItem(entry, name);
  MlirAttribute in_record =
      mlirDictionaryAttrGetElementByName(record, rm_str(name));
  if (!cJSON_IsNumber(in_file) || mlirAttributeIsNull(in_record) ||
      !mlirAttributeIsAInteger(in_record))
    return true;
  int64_t says = mlirIntegerAttrGetValueInt(in_record);
  if ((double)says == in_file->valuedouble)
    return true;
  rm_emit(RM_ERROR, mlirOperationGetLocation(function),
          "remat.plan records %s %" PRId64 ", the plan file %.0f", name, says,
          in_file->valuedouble);
  return false;
}

static bool check_record(const cJSON *entry, MlirOperation function) {
  static const char *const names[] = {"budget", "arena", "peak", "cost"};
  MlirAttribute record = mlirOperationGetDiscardableAttributeByName(
      function, rm_str("remat.plan"));
  bool right = true;
  if (mlirAttributeIsNull(record) || !mlirAttributeIsADictionary(record))
    return true;
  for (size_t i = 0; right && i < sizeof names / sizeof *names; ++i)
    right = check_number(entry, function, record, names[i]);
  return right;
}

/*===-- Steps -------------------------------------------------------------===*/

/* Reads what the entry plans, without remarks on ops nobody knows. */
static RmIr *read_original(const cJSON *entry, MlirOperation original,
                           const char *models, RmPool *pool) {
  const char *fit = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "fit"));
  RmIrOptions options = {.fit = fit && !strcmp(fit, "live") ? RM_FIT_LIVE
                                                            : RM_FIT_ARENA,
                         .models = models};
  RmCapture *capture = rm_capture_begin(mlirOperationGetContext(original));
  RmIr *ir = rm_ir_read(original, &options, pool);
  const char *wrong = rm_pool_strdup(pool, rm_capture_error(capture));
  rm_capture_end(capture);
  if (!ir)
    rm_emit(RM_ERROR, mlirOperationGetLocation(original), "%s", wrong);
  return ir;
}

static const char *read_steps(const cJSON *entry, RmSchedule *schedule,
                              RmPool *pool) {
  const cJSON *step, *list = cJSON_GetObjectItem(entry, "steps");
  if (!cJSON_IsArray(list))
    return "has no steps";
  schedule->count = 0;
  schedule->steps = RM_NEW_ARRAY(pool, int32_t, cJSON_GetArraySize(list) + 1);
  cJSON_ArrayForEach(step, list) {
    if (!cJSON_IsNumber(step))
      return "has steps that are no numbers";
    schedule->steps[schedule->count++] = step->valueint;
  }
  return NULL;
}

static const char *carry_out(const cJSON *entry, RmIr *ir, RmPool *pool) {
  RmSchedule schedule;
  const char *wrong = read_steps(entry, &schedule, pool);
  for (size_t i = 0; i < ir->graph->ops.count; ++i)
    ir->graph->ops.items[i].recomputable = ir->graph->ops.items[i].movable =
        true;
  if (!wrong)
    wrong = rm_schedule_verify(ir->graph, &schedule, false, pool);
  if (!wrong)
    rm_ir_write(ir, &schedule);
  return wrong;
}

bool rm_plan_text_verify(const RmPlanText *plan, MlirOperation planned,
                         MlirOperation original, const char *models,
                         RmPool *pool) {
  const cJSON *entry = find_entry(plan, planned);
  if (!entry)
    return mlirBlockIsNull(
               mlirRegionGetFirstBlock(mlirOperationGetRegion(planned, 0))) ||
           rm_ir_same(planned, original, "this, for it is not planned", pool);
  RmIr *ir = read_original(entry, original, models, pool);
  if (!ir)
    return false;
  const char *wrong = carry_out(entry, ir, pool);
  if (wrong) {
    rm_emit(RM_ERROR, mlirOperationGetLocation(planned),
            "option 'plan-in': the plan in '%s': %s", plan->path, wrong);
    return false;
  }
  return rm_ir_same(planned, original, "this, by the plan", pool) &&
         check_record(entry, planned);
}
