/* lib/pass/plan-arena.c - the module's own lowering, and fitting a plan to it.
 *
 * What the planner counts and what the lowering allocates differ by alignment,
 * holes, in-place results and temporaries. So the plan is carried out on a
 * clone of the module, the clone is lowered down to its arena, and the budget
 * of live bytes is corrected by what was measured, until the arena fits
 * closely. */
#include "pass/plan-pass.h"

#include "model/model.h"
#include "pass/lowering.h"
#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdlib.h>
#include <string.h>

/*===-- Lowering a clone --------------------------------------------------===*/

static MlirStringRef name_of(MlirOperation function) {
  return mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
}

static MlirOperation find_function(MlirOperation module, MlirStringRef name) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (!mlirOperationIsNull(op) &&
         !(rm_op_is(op, "func.func") && mlirStringRefEqual(name_of(op), name)))
    op = mlirOperationGetNextInBlock(op);
  return op;
}

/* Our own pipeline is spelled out, so that a pass of it can be named. */
static const char *lowering_of(const RmFunctionPlan *f) {
  const char *given = f->request->lowering;
  if (strcmp(given, "remat-to-arena"))
    return given;
  char *text = rm_lowering_to_arena("");
  const char *kept = rm_pool_strdup(f->request->pool, text ? text : given);
  free(text);
  return kept;
}

/* One pass of the list at a time, to find the one that fails. */
static const char *find_failing_pass(const RmFunctionPlan *f,
                                     MlirOperation clone) {
  char *text = rm_pool_strdup(f->request->pool, lowering_of(f));
  int depth = 0;
  for (char *begin = text, *at = text;; ++at) {
    depth += *at == '{' || *at == '(';
    depth -= *at == '}' || *at == ')';
    if (*at && (*at != ',' || depth))
      continue;
    bool is_last = !*at;
    *at = '\0';
    if (!rm_pipeline_run(f->request->run, clone, begin))
      return begin;
    if (is_last)
      return "a pass";
    begin = at + 1;
  }
}

static void report_failure(const RmFunctionPlan *f, const char *pass,
                           RmCapture *capture) {
  MlirLocation where = rm_capture_location(capture);
  const char *what =
      rm_pool_strdup(f->request->pool, rm_capture_error(capture));
  if (mlirLocationIsNull(where))
    where = mlirOperationGetLocation(f->ir->function);
  rm_capture_end(capture);
  MlirOperation culprit;
  MlirStringRef name = {"", 0};
  bool is_named = !rm_plan_can_bufferize(f->ir->function, &culprit);
  if (is_named)
    name = mlirIdentifierStr(mlirOperationGetName(culprit));
  rm_emit(RM_ERROR, where,
          "remat-plan: the lowering that fit=arena runs failed in '%s': %s%s"
          "%.*s%s; fit=live plans without it",
          pass, *what ? what : "no message", is_named ? " ('" : "",
          (int)name.length, name.data, is_named ? "' does not bufferize)" : "");
}

/* A private function that nobody calls is planned too: public on the clone, it
 * is not cleared away there. */
static MlirOperation clone_with(const RmFunctionPlan *f,
                                const RmSchedule *schedule, RmPool *pool) {
  MlirOperation clone = mlirOperationClone(f->request->module);
  MlirOperation function = find_function(clone, name_of(f->ir->function));
  mlirOperationRemoveAttributeByName(function, rm_str("sym_visibility"));
  if (!schedule)
    return clone;
  RmIrOptions options = f->request->ir;
  options.fit = f->fit;
  rm_ir_write(rm_ir_read(function, &options, pool), schedule);
  return clone;
}

typedef struct Lowered {
  int64_t bytes;
  bool has_tensors;
} Lowered;

static MlirWalkResult look_at_lowered(MlirOperation op, void *user) {
  Lowered *lowered = user;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    lowered->has_tensors |=
        mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, i)));
  if (rm_op_is(op, "memref.alloc") || rm_op_is(op, "memref.alloca")) {
    int64_t size =
        rm_type_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
    lowered->bytes += size > 0 ? size : 0;
  }
  return MlirWalkResultAdvance;
}

/* -1 after a diagnostic: a lowering of the user's may do away with functions,
 * or stop at tensors. */
static int64_t arena_of_lowered(const RmFunctionPlan *f, MlirOperation clone) {
  Lowered lowered = {0};
  MlirStringRef name = name_of(f->ir->function);
  MlirOperation function = find_function(clone, name);
  bool is_there = !mlirOperationIsNull(function);
  if (is_there)
    mlirOperationWalk(function, look_at_lowered, &lowered, MlirWalkPreOrder);
  if (is_there && !lowered.has_tensors)
    return lowered.bytes;
  rm_emit(RM_ERROR, mlirOperationGetLocation(f->ir->function),
          "remat-plan: the lowering that fit=arena runs leaves no func.func "
          "'%.*s' %s; fit=live plans without it",
          (int)name.length, name.data,
          is_there ? "without tensors" : "to measure");
  return -1;
}

int64_t rm_plan_arena_of(const RmFunctionPlan *f, const RmSchedule *schedule) {
  RmPool *pool = rm_pool_create_or_abort();
  RmCapture *capture =
      rm_capture_begin(mlirOperationGetContext(f->request->module));
  MlirOperation clone = clone_with(f, schedule, pool);
  int64_t bytes = -1;
  if (rm_pipeline_run(f->request->run, clone, lowering_of(f))) {
    rm_capture_end(capture);
    bytes = arena_of_lowered(f, clone);
  } else {
    MlirOperation again = clone_with(f, schedule, pool);
    const char *pass = find_failing_pass(f, again);
    mlirOperationDestroy(again);
    report_failure(f, pass, capture);
  }
  mlirOperationDestroy(clone);
  rm_pool_destroy(pool);
  return bytes;
}

static MlirWalkResult find_unbufferizable(MlirOperation op, void *culprit) {
  if (rm_op_is_bufferizable(op))
    return MlirWalkResultAdvance;
  *(MlirOperation *)culprit = op;
  return MlirWalkResultInterrupt;
}

bool rm_plan_can_bufferize(MlirOperation function, MlirOperation *culprit) {
  *culprit = (MlirOperation){NULL};
  mlirOperationWalk(function, find_unbufferizable, culprit, MlirWalkPreOrder);
  return mlirOperationIsNull(*culprit);
}

/*===-- Correcting --------------------------------------------------------===*/

enum { MOST_ROUNDS = 10 };

typedef struct Fitting {
  RmFunctionPlan *f;
  int64_t low, high;  /* live budgets: known to fit, known not to */
  RmPlanResult best;  /* the cheapest that fits, else the smallest */
  int64_t best_arena; /* -1 before the first */
} Fitting;

static bool is_better(const Fitting *t, const RmPlanResult *result,
                      int64_t arena) {
  if (t->best_arena < 0)
    return true;
  bool fits = arena <= t->f->budget, did_fit = t->best_arena <= t->f->budget;
  if (fits != did_fit)
    return fits;
  if (!fits || result->measure.cost == t->best.measure.cost)
    return arena < t->best_arena;
  return result->measure.cost < t->best.measure.cost;
}

/* The arena of a plan, taken if it is the best so far; -1 on a failure. */
static int64_t measure(Fitting *t, const RmPlanResult *result) {
  int64_t arena = rm_plan_arena_of(t->f, &result->schedule);
  if (arena >= 0 && is_better(t, result, arena)) {
    t->best = *result;
    t->best_arena = arena;
  }
  return arena;
}

/* Next time exactly as much less as this one was over, but always between the
 * two ends that are known. */
static int64_t next_budget(const Fitting *t, int64_t live, int64_t arena) {
  int64_t next = live - (arena - t->f->budget);
  if (next <= t->low || next >= t->high)
    next = t->low + (t->high - t->low) / 2;
  return next;
}

/* Close enough that more rounds would not pay. */
static bool is_close(const Fitting *t, int64_t arena) {
  return arena <= t->f->budget && arena >= t->f->budget - t->f->budget / 100;
}

static int64_t first_budget(const RmFunctionPlan *f) {
  RmPool *pool = rm_pool_create_or_abort();
  RmSchedule all = rm_schedule_identity(f->ir->graph, pool);
  int64_t peak = rm_schedule_measure(f->ir->graph, &all, pool).peak;
  rm_pool_destroy(pool);
  if (peak >= f->before || f->before <= 0)
    return f->budget;
  return (int64_t)((double)f->budget * (double)peak / (double)f->before);
}

static bool try_rounds(Fitting *t) {
  int64_t live = first_budget(t->f);
  for (int round = 0; round < MOST_ROUNDS && t->low + 1 < t->high; ++round) {
    RmPlanResult result =
        rm_function_plan_live(t->f, live, t->f->request->plan.strategy);
    int64_t arena = measure(t, &result);
    if (arena < 0)
      return false;
    if (is_close(t, arena) || (!result.fits && arena > t->f->budget))
      return true;
    if (arena <= t->f->budget)
      t->low = live;
    else
      t->high = live;
    live = next_budget(t, live, arena);
  }
  return true;
}

/*===-- Bounds ------------------------------------------------------------===*/

static int64_t counted_bytes(const RmGraph *g, int32_t value) {
  const RmValue *storage = &g->values.items[rm_graph_storage(g, value)];
  return storage->counted ? storage->bytes : 0;
}

static bool has_storage(const RmFunctionPlan *f, MlirValue value,
                        int32_t storage) {
  int64_t number = rm_map_or(&f->ir->numbers, rm_map_pointer(value.ptr), -1);
  return number >= 0 &&
         rm_graph_storage(f->ir->graph, (int32_t)number) == storage;
}

/* Whether an insert of the group reads it. What is put into a destination may
 * have been computed there, and all of a destination may be written over. */
static bool is_moved(const RmFunctionPlan *f, int32_t number, int32_t storage) {
  const RmGroup *group = &f->ir->groups[number];
  for (int32_t i = 0; i < group->count; ++i)
    if (rm_op_is(group->ops[i], "tensor.insert_slice") &&
        (has_storage(f, mlirOperationGetOperand(group->ops[i], 0), storage) ||
         has_storage(f, mlirOperationGetOperand(group->ops[i], 1), storage)))
      return true;
  return false;
}

typedef struct Sums { /* bytes that an op handles */
  int64_t inputs, results;
  int64_t moved; /* of inputs, which `inputs` does not count */
} Sums;

static Sums sum_op(const RmFunctionPlan *f, int32_t number) {
  const RmGraph *g = f->ir->graph;
  const RmOp *op = &g->ops.items[number];
  Sums sums = {0};
  for (int32_t i = 0; i < op->num_inputs; ++i) {
    int32_t storage = rm_graph_storage(g, rm_op_inputs(g, number)[i]);
    bool is_new = true;
    for (int32_t k = 0; k < i && is_new; ++k)
      is_new = rm_graph_storage(g, rm_op_inputs(g, number)[k]) != storage;
    if (is_new)
      *(is_moved(f, number, storage) ? &sums.moved : &sums.inputs) +=
          counted_bytes(g, storage);
  }
  for (int32_t i = 0; i < op->num_results; ++i)
    if (g->values.items[op->first_result + i].alias < 0)
      sums.results += counted_bytes(g, op->first_result + i);
  return sums;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a < b ? b : a; }

/* The lowering may write results over operands that die, which live bytes do
 * not count on. So an op surely needs only the larger of the two, and at any
 * step the arena saves at most the smaller, and what is inside of the op. What
 * an insert moves may be saved as well, from the op that makes it on: as if the
 * insert followed at once, for nobody else reads it. */
int64_t rm_plan_in_place_most(const RmFunctionPlan *f) {
  const RmGraph *g = f->ir->graph;
  int64_t most = 0;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    Sums sums = sum_op(f, op);
    most = larger(most, smaller(sums.inputs, sums.results) + sums.moved +
                            g->ops.items[op].workspace);
  }
  return most;
}

void rm_plan_bound_arena(RmFunctionPlan *f) {
  const RmGraph *g = f->ir->graph;
  f->result.budget_bound = 0;
  f->result.bound_step = -1;
  for (int32_t op = 0; op < (int32_t)g->ops.count; ++op) {
    Sums sums = sum_op(f, op);
    if (larger(sums.inputs, sums.results) <= f->result.budget_bound)
      continue;
    f->result.budget_bound = larger(sums.inputs, sums.results);
    f->result.bound_step = op;
  }
}

enum { LOWER = 3 };

/* Results in the place of operands can make an arena smaller than live bytes,
 * and most where live bytes are least: budgets of those that cannot be met are
 * tried as well. What is said to be the smallest must not depend on the budget
 * asked for, so that whoever asks for just that much gets it. */
static bool find_smallest(Fitting *t) {
  int strategy = t->f->request->plan.strategy;
  RmPlanResult least = rm_function_plan_live(t->f, 1, strategy);
  t->best_arena = -1;
  bool measured = measure(t, &least) >= 0;
  t->f->gives_up = true;
  for (int i = 1; i <= LOWER && measured; ++i) {
    int64_t live = least.measure.peak - least.measure.peak / 16 * i;
    RmPlanResult lower = rm_function_plan_live(t->f, live, strategy);
    measured = measure(t, &lower) >= 0;
  }
  return measured;
}

bool rm_plan_fit_arena(RmFunctionPlan *f) {
  Fitting t = {.f = f, .high = 2 * f->budget + 2, .best_arena = -1};
  f->gives_up = true;
  if (!try_rounds(&t))
    return false;
  f->gives_up = false;
  if (t.best_arena > f->budget && !find_smallest(&t))
    return false;
  f->result = t.best;
  f->arena = t.best_arena;
  return true;
}
