/* lib/model/given.c - models of ops that a user gives in a JSON file. */
#include "model/table.h"

#include "support/file.h"
#include "support/vec.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_of(const char *name, size_t length) {
  return rm_hash_bytes(name, length, 0);
}

const RmGiven *rm_op_given(MlirOperation op, const RmModels *models) {
  if (!models->given.count)
    return NULL;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const RmGiven *given = (const RmGiven *)(intptr_t)rm_map_or(
      &models->given, hash_of(name.data, name.length), 0);
  if (!given || strlen(given->name) != name.length ||
      memcmp(given->name, name.data, name.length))
    return NULL;
  return given;
}

/* A whole number from 0 that a double holds exactly. */
static bool read_number(const cJSON *item, int64_t *number) {
  if (!cJSON_IsNumber(item) || item->valuedouble < 0 ||
      item->valuedouble > 9007199254740992.0 ||
      item->valuedouble != (double)(int64_t)item->valuedouble)
    return false;
  *number = (int64_t)item->valuedouble;
  return true;
}

static bool read_pair(const cJSON *item, int32_t pair[2]) {
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
    return false;
  for (int i = 0; i < 2; ++i) {
    int64_t number;
    if (!read_number(cJSON_GetArrayItem(item, i), &number) ||
        number > INT32_MAX)
      return false;
    pair[i] = (int32_t)number;
  }
  return true;
}

static bool read_aliases(const cJSON *item, RmGiven *given, RmPool *pool) {
  const cJSON *pair;
  if (!cJSON_IsArray(item))
    return false;
  given->aliases = rm_pool_alloc(pool, (size_t)cJSON_GetArraySize(item) *
                                           sizeof *given->aliases);
  cJSON_ArrayForEach(pair, item) {
    if (!read_pair(pair, given->aliases[given->num_aliases++]))
      return false;
  }
  return true;
}

static bool read_fact(const cJSON *fact, RmGiven *given, RmPool *pool) {
  if (!strcmp(fact->string, "recomputable")) {
    given->has_recomputable = cJSON_IsBool(fact);
    given->recomputable = cJSON_IsTrue(fact);
    return given->has_recomputable;
  }
  if (!strcmp(fact->string, "cost"))
    return read_number(fact, &given->cost);
  if (!strcmp(fact->string, "workspace"))
    return read_number(fact, &given->workspace);
  return !strcmp(fact->string, "alias") && read_aliases(fact, given, pool);
}

static const char *read_op(const cJSON *op, RmModels *models) {
  RmGiven *given = RM_NEW(models->pool, RmGiven);
  const cJSON *fact;
  *given = (RmGiven){.name = rm_pool_strdup(models->pool, op->string),
                     .cost = -1,
                     .workspace = -1};
  cJSON_ArrayForEach(fact, op) {
    if (!fact->string || !read_fact(fact, given, models->pool))
      return rm_pool_printf(
          models->pool,
          "of '%s', '%s' is not understood; known are recomputable (true or "
          "false), cost and workspace (whole numbers from 0), alias (pairs of "
          "result and operand)",
          op->string, fact->string ? fact->string : "");
  }
  rm_map_set(&models->given, hash_of(op->string, strlen(op->string)),
             (int64_t)(intptr_t)given);
  return NULL;
}

const char *rm_models_load(RmModels *models, const char *path) {
  const char *text = rm_read_file(path, models->pool);
  const char *wrong = NULL;
  const cJSON *op;
  if (!text)
    return rm_pool_printf(models->pool, "cannot read '%s': %s", path,
                          strerror(errno));
  cJSON *root = cJSON_Parse(text);
  if (!cJSON_IsObject(root))
    wrong = rm_pool_printf(models->pool, "'%s' is no JSON object of ops", path);
  else
    cJSON_ArrayForEach(op, root) {
      wrong = wrong ? wrong : read_op(op, models);
    }
  cJSON_Delete(root);
  return wrong;
}
