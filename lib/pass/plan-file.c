/* lib/pass/plan-file.c - plans as JSON, to keep, compare and carry out again.
 *
 *   {"remat_plan": 1,
 *    "functions": [{"name": "main", "fit": "arena", "graph": "8f3a...",
 *                   "budget": 1024, "arena": 960, "peak": 900, "cost": 70,
 *                   "steps": [0, 1, 2, 0, 3]}]}
 *
 * `graph` is a hash of the function's graph: a plan is carried out only on the
 * graph it was made for. Steps are verified like any other plan. */
#include "pass/plan-pass.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1 };

struct RmPlanFile {
  cJSON *root, *functions;
};

RmPlanFile *rm_plan_file_create(void) {
  RmPlanFile *file = calloc(1, sizeof *file);
  file->root = cJSON_CreateObject();
  cJSON_AddNumberToObject(file->root, "remat_plan", VERSION);
  file->functions = cJSON_AddArrayToObject(file->root, "functions");
  return file;
}

void rm_plan_file_destroy(RmPlanFile *file) {
  if (!file)
    return;
  cJSON_Delete(file->root);
  free(file);
}

static const char *name_of(const RmFunctionPlan *f) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(f->ir->function, rm_str("sym_name")));
  return rm_pool_printf(f->request->pool, "%.*s", (int)name.length, name.data);
}

static const char *hash_of(const RmFunctionPlan *f) {
  return rm_pool_printf(f->request->pool, "%016" PRIx64,
                        rm_graph_hash(f->ir->graph));
}

void rm_plan_file_add(RmPlanFile *file, const RmFunctionPlan *f) {
  cJSON *entry = cJSON_CreateObject();
  const RmSchedule *schedule = &f->result.schedule;
  cJSON_AddStringToObject(entry, "name", name_of(f));
  cJSON_AddStringToObject(entry, "fit",
                          f->fit == RM_FIT_ARENA ? "arena" : "live");
  cJSON_AddStringToObject(entry, "graph", hash_of(f));
  if (f->budget != INT64_MAX)
    cJSON_AddNumberToObject(entry, "budget", (double)f->budget);
  cJSON_AddNumberToObject(entry, "arena", (double)f->arena);
  cJSON_AddNumberToObject(entry, "peak", (double)f->result.measure.peak);
  cJSON_AddNumberToObject(entry, "cost", (double)f->result.measure.cost);
  cJSON_AddNumberToObject(entry, "cost_bound", (double)f->result.cost_bound);
  cJSON_AddStringToObject(entry, "cost_bound_by",
                          rm_proof_print(f->result.proof, f->result.proof_ops,
                                         f->result.num_proof_ops,
                                         f->request->pool));
  cJSON_AddItemToObject(entry, "steps",
                        cJSON_CreateIntArray(schedule->steps, schedule->count));
  cJSON_AddItemToArray(file->functions, entry);
}

static bool complain(const RmPlanRequest *request, const char *file,
                     const char *what) {
  rm_emit(RM_ERROR, mlirOperationGetLocation(request->module),
          "remat-plan: plan file '%s' %s", file, what);
  return false;
}

bool rm_plan_file_write(RmPlanFile *file, const RmPlanRequest *request) {
  char *text = cJSON_Print(file->root);
  FILE *out = text ? fopen(request->plan_out, "w") : NULL;
  bool right = out && fprintf(out, "%s\n", text) > 0;
  right = out && fclose(out) == 0 && right;
  cJSON_free(text);
  return right || complain(request, request->plan_out, "cannot be written");
}

static char *read_text(const char *path) {
  FILE *in = fopen(path, "r");
  size_t room = 1 << 16, count = 0, got = 1;
  char *text = in ? malloc(room) : NULL;
  while (text && (got = fread(text + count, 1, room - count - 1, in)) > 0) {
    count += got;
    if (room - count < 2) {
      char *larger = realloc(text, room *= 2);
      if (!larger)
        free(text);
      text = larger;
    }
  }
  if (text)
    text[count] = '\0';
  if (in)
    fclose(in);
  return text;
}

RmPlanFile *rm_plan_file_read(const RmPlanRequest *request) {
  char *text = read_text(request->plan_in);
  cJSON *root = text ? cJSON_Parse(text) : NULL;
  const char *wrong = NULL;
  if (!text)
    wrong = "cannot be read";
  else if (!cJSON_IsObject(root))
    wrong = "is not JSON";
  else if (!cJSON_IsNumber(cJSON_GetObjectItem(root, "remat_plan")) ||
           cJSON_GetObjectItem(root, "remat_plan")->valueint != VERSION)
    wrong = "is not of version 1";
  free(text);
  if (wrong) {
    cJSON_Delete(root);
    complain(request, request->plan_in, wrong);
    return NULL;
  }
  RmPlanFile *file = calloc(1, sizeof *file);
  file->root = root;
  file->functions = cJSON_GetObjectItem(root, "functions");
  return file;
}

static const cJSON *find_entry(const RmPlanFile *file, const char *name) {
  const cJSON *entry;
  cJSON_ArrayForEach(entry, file->functions) {
    const cJSON *is = cJSON_GetObjectItem(entry, "name");
    if (cJSON_IsString(is) && !strcmp(is->valuestring, name))
      return entry;
  }
  return NULL;
}

static bool read_steps(const cJSON *list, RmSchedule *schedule, RmPool *pool) {
  const cJSON *step;
  schedule->count = 0;
  schedule->steps = RM_NEW_ARRAY(pool, int32_t, cJSON_GetArraySize(list));
  cJSON_ArrayForEach(step, list) {
    if (!cJSON_IsNumber(step))
      return false;
    schedule->steps[schedule->count++] = step->valueint;
  }
  return cJSON_IsArray(list);
}

bool rm_plan_file_find(RmPlanFile *file, RmFunctionPlan *f) {
  const RmPlanRequest *request = f->request;
  const cJSON *entry = find_entry(file, name_of(f));
  const cJSON *hash = cJSON_GetObjectItem(entry, "graph");
  RmSchedule *schedule = &f->result.schedule;
  if (!entry)
    return complain(
        request, request->plan_in,
        rm_pool_printf(request->pool, "has no function '%s'", name_of(f)));
  if (!cJSON_IsString(hash) || strcmp(hash->valuestring, hash_of(f)))
    return complain(request, request->plan_in,
                    "was made for another program or other options");
  if (!read_steps(cJSON_GetObjectItem(entry, "steps"), schedule, request->pool))
    return complain(request, request->plan_in, "has steps that are no numbers");
  const char *wrong =
      rm_schedule_verify(f->ir->graph, schedule, false, request->pool);
  if (wrong)
    return complain(request, request->plan_in, wrong);
  f->result.measure =
      rm_schedule_measure(f->ir->graph, schedule, request->pool);
  return true;
}
