/* lib/pass/print-graph.c - shows the graph that planning sees.
 *
 * An aid to look into the reader and the op models, not meant for programs: for
 * each function with a body one line an op, to the standard error,
 *
 *     %4 = linalg.matmul +2 (%0, %3) : 4096 B, cost 152
 *
 * with values by number, how many ops its group holds besides it, what it
 * reads, bytes (or `view of %n`, `returned`) of each result, cost, workspace,
 * and whether it is `kept` or even `fixed` in its place. `json` is the graph's
 * own form.
 *
 * needs:  nothing
 * keeps:  everything
 * breaks: nothing */

#include "graph/json.h"
#include "ir/ir.h"
#include "pass/passes.h"

#include <inttypes.h>
#include <stdio.h>

static void print_results(const RmOp *op) {
  for (int32_t i = 0; i < op->num_results; ++i)
    fprintf(stderr, "%s%%%d", i ? ", " : "", op->first_result + i);
  fputs(op->num_results ? " = " : "", stderr);
}

static void print_sizes(const RmGraph *graph, const RmOp *op) {
  for (int32_t i = 0; i < op->num_results; ++i) {
    const RmValue *value = &graph->values.items[op->first_result + i];
    if (value->alias >= 0)
      fprintf(stderr, "view of %%%d, ", value->alias);
    else
      fprintf(stderr, "%" PRId64 " B%s, ", value->bytes,
              value->counted ? "" : " returned");
  }
}

static void print_op(const RmIr *ir, int32_t number) {
  const RmGraph *graph = ir->graph;
  const RmOp *op = &graph->ops.items[number];
  const RmGroup *group = &ir->groups[number];
  MlirStringRef name =
      mlirIdentifierStr(mlirOperationGetName(group->ops[group->count - 1]));
  print_results(op);
  fprintf(stderr, "%.*s", (int)name.length, name.data);
  if (group->count > 1)
    fprintf(stderr, " +%d", group->count - 1);
  fputs(" (", stderr);
  for (int32_t i = 0; i < op->num_inputs; ++i)
    fprintf(stderr, "%s%%%d", i ? ", " : "", rm_op_inputs(graph, number)[i]);
  fputs(") : ", stderr);
  print_sizes(graph, op);
  fprintf(stderr, "cost %" PRId64, op->cost);
  if (op->workspace)
    fprintf(stderr, ", workspace %" PRId64, op->workspace);
  if (!op->recomputable)
    fputs(op->movable ? ", kept" : ", fixed", stderr);
  fputs("\n", stderr);
}

static void print_graph(const RmIr *ir) {
  RmSchedule schedule = rm_schedule_identity(ir->graph, ir->pool);
  RmMeasure measure = rm_schedule_measure(ir->graph, &schedule, ir->pool);
  for (int32_t i = 0; i < (int32_t)ir->graph->ops.count; ++i)
    print_op(ir, i);
  fprintf(stderr, "peak %" PRId64 ", cost %" PRId64 ", uncounted %" PRId64 "\n",
          measure.peak, measure.cost, rm_ir_uncounted_bytes(ir));
}

static bool print_function(MlirOperation function, RmPassRun *run) {
  RmIrOptions options = {
      .fit = rm_option_choice(run, "fit") == 0 ? RM_FIT_ARENA : RM_FIT_LIVE,
      .recompute_collectives = rm_option_choice(run, "collectives") == 1,
      .min_size = rm_option_size(run, "min-size"),
      .models = rm_option_string(run, "models")};
  RmPool *pool = rm_pool_create_or_abort();
  RmIr *ir = rm_ir_read(function, &options, pool);
  if (ir && rm_option_bool(run, "json"))
    fprintf(stderr, "%s\n", rm_graph_to_json(ir->graph, pool));
  else if (ir)
    print_graph(ir);
  rm_pool_destroy(pool);
  return ir;
}

static bool has_body(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return mlirStringRefEqual(name,
                            mlirStringRefCreateFromCString("func.func")) &&
         !mlirBlockIsNull(
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
}

bool rm_pass_print_graph(MlirOperation module, RmPassRun *run) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  rm_pass_unchanged(run);
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (has_body(op) && !print_function(op, run))
      return false;
  return true;
}
