/* lib/pass/plan-pins.c - what the user said of single values.
 *
 * A checkpoint's policy, or a `pin=` whose glob matches its name, decides:
 * `save` keeps the value, `recompute` keeps it from being held into the
 * backward. One with a name only gives the planner its freedom back; one with
 * neither is kept on purpose. A glob also matches the name in an op's location.
 */
#include "pass/plan-pass.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"

#include <fnmatch.h>
#include <string.h>

typedef enum Mark { MARK_NONE, MARK_SAVE, MARK_RECOMPUTE, MARK_BAD } Mark;

typedef struct Pin {
  Mark mark;
  const char *glob;
} Pin;

typedef struct Pins {
  const RmPlanRequest *request;
  RM_VEC(Pin) pins;
  RmIr *ir;
  uint8_t *forced;
} Pins;

static bool starts_with(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

static bool refuse(const Pins *p, const char *entry) {
  rm_emit(RM_ERROR, mlirOperationGetLocation(p->request->module),
          starts_with(entry, "offload:")
              ? "remat-plan: pin '%s': remat-plan does not offload"
              : "remat-plan: pin '%s' is not save:GLOB or recompute:GLOB",
          entry);
  return false;
}

static bool read_pin(Pins *p, const char *entry) {
  Pin pin = {MARK_NONE, strchr(entry, ':')};
  if (starts_with(entry, "save:"))
    pin.mark = MARK_SAVE;
  else if (starts_with(entry, "recompute:"))
    pin.mark = MARK_RECOMPUTE;
  if (pin.mark == MARK_NONE || !*++pin.glob)
    return refuse(p, entry);
  rm_vec_push(p->request->pool, &p->pins, pin);
  return true;
}

static bool read_pins(Pins *p) {
  const char *at = p->request->pin;
  while (*at) {
    int length = (int)strcspn(at, ";");
    if (!read_pin(p, rm_pool_printf(p->request->pool, "%.*s", length, at)))
      return false;
    at += length + (at[length] == ';');
  }
  return true;
}

static Mark mark_of_name(const Pins *p, MlirStringRef name) {
  const char *text =
      rm_pool_printf(p->request->pool, "%.*s", (int)name.length, name.data);
  for (size_t i = 0; i < p->pins.count; ++i)
    if (fnmatch(p->pins.items[i].glob, text, 0) == 0)
      return p->pins.items[i].mark;
  return MARK_NONE;
}

static bool read_string(MlirOperation op, const char *name,
                        MlirStringRef *text) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(op, rm_str(name));
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return false;
  *text = mlirStringAttrGetValue(attribute);
  return true;
}

static Mark mark_of_checkpoint(const Pins *p, MlirOperation op) {
  MlirStringRef policy, name;
  Mark pinned = MARK_NONE;
  bool has_name = read_string(op, "named", &name);
  if (has_name)
    pinned = mark_of_name(p, name);
  if (pinned != MARK_NONE)
    return pinned;
  if (!read_string(op, "policy", &policy))
    return has_name ? MARK_NONE : MARK_SAVE;
  if (policy.data[0] == 's')
    return MARK_SAVE;
  if (policy.data[0] == 'r')
    return MARK_RECOMPUTE;
  rm_emit(RM_ERROR, mlirOperationGetLocation(op),
          "remat-plan: policy offload needs a memory to offload to, which "
          "remat-plan does not plan");
  return MARK_BAD;
}

/* The value's op, and the chain of views behind it, which hold no bytes. */
static void force(Pins *p, int32_t value) {
  const RmGraph *g = p->ir->graph;
  int32_t op = g->values.items[rm_graph_storage(g, value)].op;
  if (op >= 0)
    p->forced[op] = 1;
}

static bool mark_checkpoint(Pins *p, int32_t number, MlirOperation op) {
  Mark mark = mark_of_checkpoint(p, op);
  RmOp *info = &p->ir->graph->ops.items[number];
  if (mark == MARK_BAD)
    return false;
  if (mark != MARK_SAVE)
    info->recomputable = info->movable = true;
  if (mark == MARK_RECOMPUTE)
    force(p, info->first_result);
  return true;
}

static void mark_located(Pins *p, int32_t number, MlirOperation op) {
  MlirLocation location = mlirOperationGetLocation(op);
  RmOp *info = &p->ir->graph->ops.items[number];
  if (!p->pins.count || !mlirLocationIsAName(location))
    return;
  Mark mark =
      mark_of_name(p, mlirIdentifierStr(mlirLocationNameGetName(location)));
  if (mark == MARK_SAVE)
    info->recomputable = false;
  if (mark == MARK_RECOMPUTE)
    p->forced[number] = 1;
}

bool rm_plan_pins(const RmPlanRequest *request, RmIr *ir, uint8_t **forced) {
  int32_t count = (int32_t)ir->graph->ops.count;
  Pins p = {.request = request,
            .ir = ir,
            .forced = RM_NEW_ARRAY(request->pool, uint8_t, count)};
  if (!read_pins(&p))
    return false;
  for (int32_t i = 0; i < count; ++i) {
    const RmGroup *group = &ir->groups[i];
    MlirOperation root = group->ops[group->count - 1];
    if (!rm_op_is(root, "remat.checkpoint"))
      mark_located(&p, i, root);
    else if (!mark_checkpoint(&p, i, root))
      return false;
  }
  *forced = p.forced;
  return true;
}
