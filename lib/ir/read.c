/* lib/ir/read.c - a function's block into a graph.
 *
 * The scan says what belongs together; here each root becomes a graph op that
 * reads what its group reads from outside, costs what the group costs and makes
 * what the root makes. Graph ops stand in the order of their roots, which
 * respects every read, for members only ever move down. */
#include "ir/ir.h"

#include "ir/scan.h"
#include "shim/shim.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>
#include <string.h>

/* Sums of sizes and of costs stay below, so that nothing ever overflows and all
 * numbers survive as JSON. */
static const int64_t largest_sum = (int64_t)1 << 53;

typedef struct Reader {
  RmIr *ir;
  const RmIrOptions *options;
  RmScan *scan;
  RM_VEC(RmGroup) groups;
  RM_VEC(MlirValue) values;
  RmIntVec inputs;  /* of the group at hand */
  RmIntVec dynamic; /* values whose size is not known */
  RmMap named;      /* kinds of ops that a remark named */
  int64_t bytes, cost;
} Reader;

static RmPool *pool_of(const Reader *r) { return r->ir->pool; }

static int32_t number_of(const RmIr *ir, MlirValue value) {
  return (int32_t)rm_map_or(&ir->numbers, rm_map_pointer(value.ptr), -1);
}

/*===-- Diagnostics -------------------------------------------------------===*/

typedef struct Text {
  char chars[160];
  size_t length;
} Text;

static void append(MlirStringRef part, void *data) {
  Text *text = data;
  size_t room = sizeof text->chars - 1 - text->length;
  size_t length = part.length < room ? part.length : room;
  memcpy(text->chars + text->length, part.data, length);
  text->length += length;
}

static Text print_type(MlirType type) {
  Text text = {.length = 0};
  mlirTypePrint(type, append, &text);
  return text;
}

static MlirLocation where_is(const Reader *r, MlirValue value) {
  return mlirOperationGetLocation(mlirValueIsAOpResult(value)
                                      ? mlirOpResultGetOwner(value)
                                      : r->ir->function);
}

static bool has_dynamic_dim(MlirType type, int64_t *dim) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type))
    return false;
  for (*dim = 0; *dim < mlirShapedTypeGetRank(type); ++*dim)
    if (mlirShapedTypeIsDynamicDim(type, *dim))
      return true;
  return false;
}

static bool refuse_dynamic(const Reader *r, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  Text text = print_type(type);
  int64_t dim;
  if (has_dynamic_dim(type, &dim))
    rm_emit(RM_ERROR, where_is(r, value),
            "dimension %" PRId64 " of '%s' is not known, so neither is what it "
            "takes in memory: give it a static size to plan this function",
            dim, text.chars);
  else
    rm_emit(RM_ERROR, where_is(r, value),
            "what '%s' takes in memory is not known: give it a static shape to "
            "plan this function",
            text.chars);
  return false;
}

static void name_unknown(Reader *r, MlirOperation op) {
  MlirIdentifier name = mlirOperationGetName(op);
  MlirStringRef text = mlirIdentifierStr(name);
  if (rm_map_or(&r->named, rm_map_pointer(name.ptr), 0))
    return;
  rm_map_set(&r->named, rm_map_pointer(name.ptr), 1);
  rm_emit(RM_REMARK, mlirOperationGetLocation(op),
          "'%.*s' is not known: kept, never recomputed; `remat.recomputable` "
          "says otherwise",
          (int)text.length, text.data);
}

static MlirWalkResult name_nested(MlirOperation op, void *data) {
  Reader *r = data;
  if (!rm_model_knows(op, &r->scan->models))
    name_unknown(r, op);
  return MlirWalkResultAdvance;
}

/* An op is kept for what is in it, too. */
static void name_what_is_unknown(Reader *r, const RmScanned *op) {
  if (!op->model.known)
    name_unknown(r, op->op);
  else if (!op->model.pure && mlirOperationGetNumRegions(op->op))
    mlirOperationWalk(op->op, name_nested, r, MlirWalkPreOrder);
}

/*===-- Values ------------------------------------------------------------===*/

static void number_value(Reader *r, MlirValue value, int32_t number) {
  rm_map_set(&r->ir->numbers, rm_map_pointer(value.ptr), number);
  rm_vec_push(pool_of(r), &r->values, value);
}

/* The size of a storage; one that is not known is looked at in the end, when it
 * is settled whether it counts. */
static int64_t size_of(Reader *r, MlirValue value) {
  int64_t bytes = rm_value_bytes(value, &r->scan->models);
  if (bytes < 0)
    rm_vec_push(pool_of(r), &r->dynamic, (int32_t)r->values.count);
  else if (bytes < largest_sum)
    r->bytes += bytes;
  else
    r->bytes = largest_sum;
  return bytes < 0 ? 0 : bytes;
}

static void add_arguments(Reader *r) {
  MlirBlock block = r->ir->block;
  for (intptr_t i = 0, n = mlirBlockGetNumArguments(block); i < n; ++i) {
    MlirValue value = mlirBlockGetArgument(block, i);
    number_value(r, value, rm_graph_argument(r->ir->graph, size_of(r, value)));
  }
}

/* tensor.empty takes no room for fit=live, nor does a view of a constant. */
static bool takes_no_room(const Reader *r, int32_t root, int alias) {
  const RmScanned *op = &r->scan->ops.items[root];
  if (alias >= 0)
    return !rm_scan_is_inside(r->scan, mlirOperationGetOperand(op->op, alias),
                              root);
  return op->model.is_init && !r->scan->models.for_arena;
}

static int32_t add_result(Reader *r, int32_t root, intptr_t i) {
  MlirOperation op = r->scan->ops.items[root].op;
  int alias = rm_model_alias(op, (int)i, &r->scan->models);
  int32_t viewed = -1;
  if (alias >= 0)
    viewed = number_of(r->ir, mlirOperationGetOperand(op, alias));
  if (viewed >= 0)
    return rm_graph_view(r->ir->graph, viewed);
  bool is_free = takes_no_room(r, root, alias);
  MlirValue value = mlirOperationGetResult(op, i);
  return rm_graph_result(r->ir->graph, is_free ? 0 : size_of(r, value));
}

/*===-- Ops ---------------------------------------------------------------===*/

static void find_inputs(Reader *r, const RmIntVec *group, int32_t root) {
  r->inputs.count = 0;
  for (size_t i = 0; i < group->count; ++i) {
    const RmScanned *op = &r->scan->ops.items[group->items[i]];
    for (int32_t k = 0; k < op->num_reads; ++k) {
      MlirValue value = r->scan->reads.items[op->first_read + k];
      int32_t number = number_of(r->ir, value);
      if (number >= 0 && !rm_scan_is_inside(r->scan, value, root))
        rm_vec_push(pool_of(r), &r->inputs, number);
    }
  }
}

typedef struct Sum {
  int64_t cost, workspace;
  bool pure, collective;
} Sum;

static bool add_up(Reader *r, const RmIntVec *group, Sum *sum) {
  *sum = (Sum){.pure = true};
  for (size_t i = 0; i < group->count; ++i) {
    const RmScanned *op = &r->scan->ops.items[group->items[i]];
    if (op->model.workspace < 0) {
      rm_emit(RM_ERROR, mlirOperationGetLocation(op->op),
              "a value inside has a dynamic shape, so what the op takes in "
              "memory is not known: give it a static size, or the op a "
              "`remat.workspace`");
      return false;
    }
    sum->cost += op->model.cost < largest_sum ? op->model.cost : largest_sum;
    if (op->model.workspace > sum->workspace)
      sum->workspace = op->model.workspace;
    sum->pure &= op->model.pure;
    sum->collective |= op->model.collective;
  }
  r->bytes += sum->workspace < largest_sum ? sum->workspace : largest_sum;
  r->cost += sum->cost;
  return true;
}

static bool stays_in_bounds(const Reader *r, const RmScanned *op) {
  if (r->bytes < largest_sum && r->cost < largest_sum)
    return true;
  rm_emit(RM_ERROR, mlirOperationGetLocation(op->op),
          "up to here the function's %s add up to 2^53 or more, which is too "
          "large to plan",
          r->cost < largest_sum ? "sizes, in bytes," : "costs");
  return false;
}

static void add_group(Reader *r, const RmIntVec *places) {
  RmGroup group = {RM_NEW_ARRAY(pool_of(r), MlirOperation, places->count),
                   (int32_t)places->count};
  for (size_t i = 0; i < places->count; ++i)
    group.ops[i] = r->scan->ops.items[places->items[i]].op;
  rm_vec_push(pool_of(r), &r->groups, group);
}

/* Small results are kept; those without bytes (sizes, views) are free to make
 * again, and what reads them must not be held up by them. */
static void keep_if_small(Reader *r, RmOp *op) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < op->num_results; ++i)
    bytes += r->ir->graph->values.items[op->first_result + i].bytes;
  if (bytes && bytes < r->options->min_size)
    op->recomputable = false;
}

static bool add_root(Reader *r, int32_t place) {
  const RmScanned *root = &r->scan->ops.items[place];
  RmGraph *graph = r->ir->graph;
  RmIntVec group = rm_scan_group(r->scan, place);
  Sum sum;
  if (!add_up(r, &group, &sum))
    return false;
  find_inputs(r, &group, place);
  bool may_run_again =
      sum.pure && (!sum.collective || r->options->recompute_collectives);
  int32_t number = rm_graph_op(graph, sum.cost, sum.workspace, r->inputs.items,
                               (int32_t)r->inputs.count, may_run_again);
  add_group(r, &group);
  for (intptr_t i = 0, n = mlirOperationGetNumResults(root->op); i < n; ++i) {
    int32_t result = add_result(r, place, i);
    number_value(r, mlirOperationGetResult(root->op, i), result);
  }
  keep_if_small(r, &graph->ops.items[number]);
  name_what_is_unknown(r, root);
  return stays_in_bounds(r, root);
}

/*===-- The function ------------------------------------------------------===*/

static void return_values(Reader *r, MlirOperation end) {
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(end); i < n; ++i) {
    int32_t number = number_of(r->ir, mlirOperationGetOperand(end, i));
    if (number >= 0)
      rm_graph_return(r->ir->graph, number);
  }
}

/* What a user says to save is not made again. */
static void pin_saved(Reader *r, MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name,
                          mlirStringRefCreateFromCString("remat.checkpoint")))
    return;
  MlirAttribute policy = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("policy"));
  int32_t saved = number_of(r->ir, mlirOperationGetOperand(op, 0));
  if (saved < 0 || mlirAttributeIsNull(policy) ||
      !mlirAttributeIsAString(policy) ||
      !mlirStringRefEqual(mlirStringAttrGetValue(policy),
                          mlirStringRefCreateFromCString("save")))
    return;
  const RmValue *storage =
      &r->ir->graph->values.items[rm_graph_storage(r->ir->graph, saved)];
  if (storage->op >= 0)
    r->ir->graph->ops.items[storage->op].recomputable = false;
}

static bool add_ops(Reader *r) {
  for (int32_t place = 0; place < (int32_t)r->scan->ops.count; ++place) {
    const RmScanned *op = &r->scan->ops.items[place];
    if (op->role == RM_ROLE_CONSTANT)
      for (intptr_t i = 0, n = mlirOperationGetNumResults(op->op); i < n; ++i)
        r->ir->constant_bytes +=
            rm_value_bytes(mlirOperationGetResult(op->op, i), &r->scan->models);
    else if (op->role == RM_ROLE_END)
      return_values(r, op->op);
    else if (op->role == RM_ROLE_ROOT && !add_root(r, place))
      return false;
    if (op->model.is_identity)
      pin_saved(r, op->op);
  }
  return true;
}

static bool sizes_are_known(const Reader *r) {
  for (size_t i = 0; i < r->dynamic.count; ++i) {
    int32_t number = r->dynamic.items[i];
    if (r->ir->graph->values.items[number].counted || r->options->count_total)
      return refuse_dynamic(r, r->values.items[number]);
  }
  return true;
}

static bool find_block(MlirOperation function, MlirBlock *block) {
  MlirLocation where = mlirOperationGetLocation(function);
  MlirRegion body = mlirOperationGetRegion(function, 0);
  *block = mlirRegionGetFirstBlock(body);
  if (mlirBlockIsNull(*block)) {
    rm_emit(RM_ERROR, where, "a function without a body cannot be planned");
    return false;
  }
  if (mlirBlockIsNull(mlirBlockGetNextInRegion(*block)))
    return true;
  rm_emit(RM_ERROR, where,
          "a function with several blocks cannot be planned: turn its branches "
          "into scf ops (--lift-cf-to-scf)");
  return false;
}

static bool load_models(MlirOperation function, const char *path,
                        RmModels *models) {
  const char *wrong = path && *path ? rm_models_load(models, path) : NULL;
  if (wrong)
    rm_emit(RM_ERROR, mlirOperationGetLocation(function), "option 'models': %s",
            wrong);
  return !wrong;
}

RmIr *rm_ir_read(MlirOperation function, const RmIrOptions *options,
                 RmPool *pool) {
  MlirBlock block;
  if (!find_block(function, &block))
    return NULL;
  RmIr *ir = RM_NEW(pool, RmIr);
  *ir = (RmIr){.pool = pool,
               .function = function,
               .block = block,
               .graph = rm_graph_create(pool),
               .numbers = rm_map_create(pool)};
  Reader r = {.ir = ir, .options = options, .named = rm_map_create(pool)};
  RmModels models =
      rm_models_create(function, options->fit == RM_FIT_ARENA, pool);
  if (!load_models(function, options->models, &models))
    return NULL;
  r.scan = rm_scan_create(block, models, pool);
  add_arguments(&r);
  if (!add_ops(&r) || !sizes_are_known(&r))
    return NULL;
  ir->groups = r.groups.items;
  ir->values = r.values.items;
  return ir;
}

int64_t rm_ir_uncounted_bytes(const RmIr *ir) {
  int64_t bytes = ir->constant_bytes;
  for (size_t i = 0; i < ir->graph->values.count; ++i)
    if (!ir->graph->values.items[i].counted)
      bytes += ir->graph->values.items[i].bytes;
  return bytes;
}
