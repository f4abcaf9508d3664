/* lib/pass/plan-report.c - what remat-plan says of a function.
 *
 * Percentages are made from integers: the cost of ours rounds up and the
 * bound's down, so that the remark never promises what is not so. */
#include "pass/plan-pass.h"

#include "pass/ops.h"
#include "support/wide.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_NAMED = 10 };

static const char *measure_word(const RmFunctionPlan *f) {
  return f->fit == RM_FIT_ARENA ? "arena" : "peak";
}

static const char *size(const RmFunctionPlan *f, int64_t bytes) {
  char *text = rm_pool_alloc(f->request->pool, 32);
  return rm_bytes_print(bytes, text, 32);
}

/* Extra cost in hundredths of a per cent of `whole`. */
static int64_t hundredths(int64_t cost, int64_t whole, bool up) {
  RmWide scaled = (RmWide)(cost - whole) * 10000;
  if (whole <= 0 || scaled <= 0)
    return 0;
  return (int64_t)((scaled + (up ? whole - 1 : 0)) / whole);
}

static const char *percent(const RmFunctionPlan *f, int64_t value) {
  return rm_pool_printf(f->request->pool, "+%" PRId64 ".%02d %%", value / 100,
                        (int)(value % 100));
}

static int32_t count_values(const RmGraph *g) {
  int32_t count = 0;
  for (size_t v = 0; v < g->values.count; ++v)
    count += g->values.items[v].op >= 0 && g->values.items[v].alias < 0;
  return count;
}

static const char *budget_part(const RmFunctionPlan *f) {
  if (f->budget == INT64_MAX)
    return "";
  return rm_pool_printf(f->request->pool, " (budget %s)", size(f, f->budget));
}

void rm_plan_report_done(const RmFunctionPlan *f) {
  const RmMeasure *m = &f->result.measure;
  int64_t whole = rm_graph_cost(f->ir->graph);
  rm_emit(RM_REMARK, mlirOperationGetLocation(f->ir->function),
          "remat-plan: %s %s -> %s%s, time %s (no plan below %s), %d of %d "
          "values recomputed by %d ops",
          measure_word(f), size(f, f->before), size(f, f->arena),
          budget_part(f), percent(f, hundredths(m->cost, whole, true)),
          percent(f, hundredths(f->result.cost_bound, whole, false)),
          m->recomputed, count_values(f->ir->graph), m->extra);
}

void rm_plan_report_unchanged(const RmFunctionPlan *f) {
  rm_emit(RM_REMARK, mlirOperationGetLocation(f->ir->function),
          "remat-plan: %s %s%s, nothing to do", measure_word(f),
          size(f, f->before), budget_part(f));
}

void rm_plan_report_over(const RmFunctionPlan *f) {
  int64_t whole = rm_graph_cost(f->ir->graph);
  rm_emit(RM_ERROR, mlirOperationGetLocation(f->ir->function),
          "remat-plan: the cheapest plan found within the budget takes time "
          "%s, over the overhead of %s",
          percent(f, hundredths(f->result.measure.cost, whole, true)),
          rm_option_string(f->request->run, "overhead"));
}

/*===-- Nothing fits ------------------------------------------------------===*/

static MlirOperation root_of(const RmIr *ir, int32_t op) {
  const RmGroup *group = &ir->groups[op];
  return group->ops[group->count - 1];
}

static const char *name_of(const RmFunctionPlan *f, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return rm_pool_printf(f->request->pool, "'%.*s'", (int)name.length,
                        name.data);
}

static void sort_by_bytes(const RmGraph *g, RmIntVec *values) {
  for (size_t i = 1; i < values->count; ++i)
    for (size_t k = i; k && g->values.items[values->items[k - 1]].bytes <
                                g->values.items[values->items[k]].bytes;
         --k) {
      int32_t swapped = values->items[k];
      values->items[k] = values->items[k - 1];
      values->items[k - 1] = swapped;
    }
}

static void note_largest(const RmFunctionPlan *f, RmDiagnostic *diagnostic) {
  const RmGraph *g = f->ir->graph;
  RmIntVec alive = rm_schedule_alive(
      g, &f->result.schedule, f->result.measure.peak_step, f->request->pool);
  sort_by_bytes(g, &alive);
  for (size_t i = 0; i < alive.count && i < MOST_NAMED; ++i) {
    const RmValue *value = &g->values.items[alive.items[i]];
    MlirOperation maker = root_of(f->ir, value->op);
    rm_diagnostic_note(
        diagnostic, mlirOperationGetLocation(maker),
        rm_pool_printf(f->request->pool, "%s alive there, made by %s",
                       size(f, value->bytes), name_of(f, maker)));
  }
}

void rm_plan_report_unfit(const RmFunctionPlan *f) {
  const RmPlanResult *r = &f->result;
  RmSeverity severity = f->request->best_effort ? RM_WARNING : RM_ERROR;
  MlirOperation blocker =
      r->bound_step >= 0 ? root_of(f->ir, r->bound_step) : f->ir->function;
  const char *subject = f->request->plan.strategy == RM_STRATEGY_AUTO
                            ? "no plan fits"
                            : "this strategy's plan does not fit";
  RmDiagnostic *diagnostic = rm_diagnostic_begin(
      severity, mlirOperationGetLocation(f->ir->function),
      rm_pool_printf(f->request->pool,
                     "remat-plan: %s the budget of %" PRId64
                     " bytes: the smallest %s found is %" PRId64
                     " bytes, and none is below %" PRId64
                     " bytes, which %s needs",
                     subject, f->budget, measure_word(f), f->arena,
                     r->budget_bound, name_of(f, blocker)));
  rm_diagnostic_note(diagnostic, mlirOperationGetLocation(blocker),
                     rm_pool_printf(f->request->pool,
                                    "%s needs %" PRId64
                                    " bytes for what it reads and makes",
                                    name_of(f, blocker), r->budget_bound));
  if (r->measure.peak_step >= 0) {
    int32_t op = r->schedule.steps[r->measure.peak_step];
    rm_diagnostic_note(diagnostic, mlirOperationGetLocation(root_of(f->ir, op)),
                       rm_pool_printf(f->request->pool,
                                      "the fullest step of the smallest found, "
                                      "%" PRId64 " bytes live",
                                      r->measure.peak));
    note_largest(f, diagnostic);
  }
  rm_diagnostic_end(diagnostic);
}

/*===-- The attribute -----------------------------------------------------===*/

static MlirNamedAttribute number(MlirContext context, const char *name,
                                 int64_t value) {
  return mlirNamedAttributeGet(
      mlirIdentifierGet(context, rm_str(name)),
      mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value));
}

static MlirNamedAttribute text(MlirContext context, const char *name,
                               const char *value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str(name)),
                               mlirStringAttrGet(context, rm_str(value)));
}

void rm_plan_set_attribute(const RmFunctionPlan *f) {
  MlirContext context = mlirOperationGetContext(f->ir->function);
  const RmMeasure *m = &f->result.measure;
  MlirNamedAttribute entries[13];
  intptr_t count = 0;
  if (f->fit == RM_FIT_ARENA)
    entries[count++] = number(context, "arena", f->arena);
  entries[count++] = number(context, "before", f->before);
  if (f->budget != INT64_MAX)
    entries[count++] = number(context, "budget", f->budget);
  if (f->arena > f->budget)
    entries[count++] =
        mlirNamedAttributeGet(mlirIdentifierGet(context, rm_str("best_effort")),
                              mlirUnitAttrGet(context));
  entries[count++] = number(context, "cost", m->cost);
  entries[count++] =
      number(context, "cost_before", rm_graph_cost(f->ir->graph));
  entries[count++] = number(context, "cost_bound", f->result.cost_bound);
  entries[count++] =
      text(context, "cost_bound_by",
           rm_proof_print(f->result.proof, f->result.proof_ops,
                          f->result.num_proof_ops, f->request->pool));
  entries[count++] = number(context, "peak", m->peak);
  entries[count++] = number(context, "peak_bound", f->result.budget_bound);
  entries[count++] = number(context, "recomputed", m->recomputed);
  entries[count++] = number(context, "reruns", m->extra);
  mlirOperationSetDiscardableAttributeByName(
      f->ir->function, rm_str("remat.plan"),
      mlirDictionaryAttrGet(context, count, entries));
}
