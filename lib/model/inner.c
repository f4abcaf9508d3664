/* lib/model/inner.c - what runs inside an op: its regions, or what it calls.
 *
 * The counting rule of the design, inside a block: block arguments and values
 * from outside are not counted, for who is outside counts them. What is yielded
 * is held to the end of the block. A branch and a function make the results of
 * their op, so the op needs only what they hold beyond these; the results of a
 * loop hold the last round while its body makes the next. A result takes over
 * the storage it starts from where that dies with it (an insert into the carry,
 * a structured op into its init): all lowerings do so in loops. Regions whose
 * values are scalars take no room. */
#include "model/table.h"

#include "shim/shim.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/* Rounds of a loop whose bounds are not constants. */
enum { UNKNOWN_TRIPS = 16 };

typedef struct Storage {
  int64_t bytes;
  int32_t first, last; /* places of ops in the block */
} Storage;

typedef struct Block {
  RmModels *models;
  MlirBlock block;
  int32_t place; /* of the op at hand */
  RmMap last;    /* of each value of the block: place of its last reader */
  RmMap storage; /* of each value of the block: number of its storage */
  RM_VEC(Storage) storages;
  bool is_dynamic;
} Block;

/*===-- Lives -------------------------------------------------------------===*/

static MlirWalkResult note_reads(MlirOperation op, void *data) {
  Block *b = data;
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i)
    rm_map_set(&b->last, rm_map_pointer(mlirOperationGetOperand(op, i).ptr),
               b->place);
  return MlirWalkResultAdvance;
}

static int32_t find_storage(const Block *b, MlirValue value) {
  return (int32_t)rm_map_or(&b->storage, rm_map_pointer(value.ptr), -1);
}

static void join(Block *b, MlirValue value, int32_t storage) {
  Storage *s = &b->storages.items[storage];
  int32_t last =
      (int32_t)rm_map_or(&b->last, rm_map_pointer(value.ptr), b->place);
  if (last > s->last)
    s->last = last;
  rm_map_set(&b->storage, rm_map_pointer(value.ptr), storage);
}

static void add_storage(Block *b, MlirValue value, int64_t bytes) {
  b->is_dynamic |= bytes < 0;
  Storage storage = {bytes < 0 ? 0 : bytes, b->place, b->place};
  rm_vec_push(b->models->pool, &b->storages, storage);
  join(b, value, (int32_t)b->storages.count - 1);
}

/* The storage that dies here and that result `i` may be made in, or -1. */
static int32_t find_start(const Block *b, MlirOperation op, intptr_t i) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
  for (intptr_t k = 0, n = mlirOperationGetNumOperands(op); k < n; ++k) {
    MlirValue operand = mlirOperationGetOperand(op, k);
    int32_t storage = find_storage(b, operand);
    if (storage < 0 || b->storages.items[storage].last != b->place)
      continue;
    if (rm_model_starts_result(op, (int)k) &&
        mlirTypeEqual(mlirValueGetType(operand), type))
      return storage;
  }
  return -1;
}

static void add_result(Block *b, MlirOperation op, intptr_t i, bool is_free) {
  MlirValue value = mlirOperationGetResult(op, i);
  int alias = rm_model_alias(op, (int)i, b->models);
  int32_t storage = -1;
  if (alias >= 0)
    storage = find_storage(b, mlirOperationGetOperand(op, alias));
  else if (!is_free)
    storage = find_start(b, op, i);
  if (storage >= 0)
    join(b, value, storage);
  else
    add_storage(b, value,
                is_free || alias >= 0 ? 0 : rm_value_bytes(value, b->models));
}

/* The C API knows no terminator that is not registered. */
static MlirOperation find_end(MlirBlock block) {
  MlirOperation end = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    end = op;
  return end;
}

static void find_reads(Block *b) {
  b->place = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(b->block);
       !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op), ++b->place)
    mlirOperationWalk(op, note_reads, b, MlirWalkPreOrder);
}

/*===-- A block -----------------------------------------------------------===*/

static int64_t find_peak(const Block *b, const int64_t *workspace) {
  int64_t *live = RM_NEW_ARRAY(b->models->pool, int64_t, b->place + 1);
  int64_t now = 0, peak = 0;
  for (size_t i = 0; i < b->storages.count; ++i) {
    const Storage *s = &b->storages.items[i];
    live[s->first] += s->bytes;
    live[s->last + 1] -= s->bytes;
  }
  for (int32_t place = 0; place < b->place; ++place) {
    now += live[place];
    int64_t here = rm_plus(now, workspace[place]);
    peak = here > peak ? here : peak;
  }
  return peak;
}

/* tensor.empty has no bytes of its own for fit=live. */
static bool takes_no_room(const RmOpModel *model, const RmModels *models) {
  return model->is_constant || (model->is_init && !models->for_arena);
}

static void add_arguments(Block *b) {
  b->place = 0;
  for (intptr_t i = 0, n = mlirBlockGetNumArguments(b->block); i < n; ++i)
    add_storage(b, mlirBlockGetArgument(b->block, i), 0);
}

static RmInner run_ops(Block *b, int64_t *workspace) {
  RmInner inner = {0};
  b->place = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(b->block);
       !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op), ++b->place) {
    RmOpModel model = rm_model_of(op, b->models);
    inner.cost = rm_plus(inner.cost, model.cost);
    b->is_dynamic |= model.workspace < 0;
    workspace[b->place] = model.workspace;
    for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i)
      add_result(b, op, i, takes_no_room(&model, b->models));
  }
  return inner;
}

static RmInner measure_block(MlirBlock block, RmModels *models) {
  Block b = {.models = models,
             .block = block,
             .last = rm_map_create(models->pool),
             .storage = rm_map_create(models->pool)};
  find_reads(&b);
  int64_t *workspace = RM_NEW_ARRAY(models->pool, int64_t, b.place + 1);
  add_arguments(&b);
  RmInner inner = run_ops(&b, workspace);
  inner.workspace = b.is_dynamic ? -1 : find_peak(&b, workspace);
  return inner;
}

/*===-- Regions -----------------------------------------------------------===*/

static int64_t add_sizes(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : rm_plus(a, b);
}

static int64_t larger_size(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : a > b ? a : b;
}

/* Of several blocks nothing is known of the order: all is held at once. */
static RmInner measure_region(MlirRegion region, RmModels *models) {
  RmInner sum = {0};
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    RmInner inner = measure_block(block, models);
    sum.cost = rm_plus(sum.cost, inner.cost);
    sum.workspace = add_sizes(sum.workspace, inner.workspace);
  }
  return sum;
}

static RmInner measure_regions(MlirOperation op, bool is_loop,
                               RmModels *models) {
  RmInner whole = {0};
  for (MlirRegion region = mlirOperationGetFirstRegion(op);
       !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    RmInner inner = measure_region(region, models);
    whole.workspace = larger_size(whole.workspace, inner.workspace);
    whole.cost = is_loop ? rm_plus(whole.cost, inner.cost)
                         : larger_size(whole.cost, inner.cost);
  }
  return whole;
}

/*===-- Trips -------------------------------------------------------------===*/

/* An integer constant, of a scalar or of a tensor with one element. */
static bool read_constant(MlirValue value, int64_t *number) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  const RmOpRow *row = rm_op_row(op);
  if (!row || !(row->traits & RM_CONSTANT))
    return false;
  MlirAttribute given = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("value"));
  if (mlirAttributeIsNull(given))
    return false;
  if (mlirAttributeIsADenseElements(given) &&
      mlirDenseElementsAttrIsSplat(given) &&
      mlirTypeIsAInteger(
          mlirShapedTypeGetElementType(mlirAttributeGetType(given))))
    given = mlirDenseElementsAttrGetSplatValue(given);
  return rm_read_integer(given, number);
}

static int64_t divide_up(int64_t lower, int64_t upper, int64_t step) {
  if (step <= 0 || upper <= lower || lower < 0)
    return 0;
  return (upper - lower - 1) / step + 1;
}

static int64_t count_for_trips(MlirOperation op) {
  int64_t bound[3];
  for (int i = 0; i < 3; ++i)
    if (i >= mlirOperationGetNumOperands(op) ||
        !read_constant(mlirOperationGetOperand(op, i), &bound[i]))
      return UNKNOWN_TRIPS;
  return divide_up(bound[0], bound[1], bound[2]);
}

/* A while whose condition compares a carry, that starts from a constant, with a
 * constant: counted as if it grew by one. */
static int64_t count_while_trips(MlirOperation op) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation end =
      mlirBlockIsNull(block) ? (MlirOperation){NULL} : find_end(block);
  if (mlirOperationIsNull(end) || mlirOperationGetNumOperands(end) < 1 ||
      !mlirValueIsAOpResult(mlirOperationGetOperand(end, 0)))
    return UNKNOWN_TRIPS;
  MlirOperation test = mlirOpResultGetOwner(mlirOperationGetOperand(end, 0));
  int64_t lower, upper;
  if (mlirOperationGetNumOperands(test) != 2 ||
      !read_constant(mlirOperationGetOperand(test, 1), &upper))
    return UNKNOWN_TRIPS;
  MlirValue carry = mlirOperationGetOperand(test, 0);
  if (!mlirValueIsABlockArgument(carry) ||
      mlirBlockArgumentGetArgNumber(carry) >= mlirOperationGetNumOperands(op))
    return UNKNOWN_TRIPS;
  MlirValue first =
      mlirOperationGetOperand(op, mlirBlockArgumentGetArgNumber(carry));
  return read_constant(first, &lower) ? divide_up(lower, upper, 1)
                                      : UNKNOWN_TRIPS;
}

static bool is_named(MlirOperation op, const char *name) {
  MlirStringRef own = mlirIdentifierStr(mlirOperationGetName(op));
  return own.length == strlen(name) && !memcmp(own.data, name, own.length);
}

static int64_t count_trips(MlirOperation op) {
  if (is_named(op, "scf.for"))
    return count_for_trips(op);
  if (is_named(op, "scf.while") || is_named(op, "stablehlo.while"))
    return count_while_trips(op);
  return is_named(op, "scf.parallel") || is_named(op, "scf.forall")
             ? UNKNOWN_TRIPS
             : 1;
}

/*===-- Calls -------------------------------------------------------------===*/

static uint64_t hash_of(MlirStringRef name) {
  return rm_hash_bytes(name.data, name.length, 0);
}

static MlirOperation module_of(MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(parent) && !is_named(parent, "builtin.module"))
    parent = mlirOperationGetParentOperation(parent);
  return parent;
}

static MlirAttribute symbol_name(MlirOperation op) {
  return mlirOperationGetAttributeByName(
      op, mlirSymbolTableGetSymbolAttributeName());
}

static void list_functions(MlirOperation module, RmModels *models) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(body);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = symbol_name(op);
    if (!mlirAttributeIsNull(name) && mlirOperationGetNumRegions(op))
      rm_map_set(&models->functions, hash_of(mlirStringAttrGetValue(name)),
                 (int64_t)(intptr_t)op.ptr);
  }
}

static MlirOperation find_callee(MlirOperation call, RmModels *models) {
  MlirOperation none = {NULL}, module = module_of(call);
  MlirAttribute callee = mlirOperationGetAttributeByName(
      call, mlirStringRefCreateFromCString("callee"));
  if (mlirOperationIsNull(module) || mlirAttributeIsNull(callee) ||
      !mlirAttributeIsAFlatSymbolRef(callee))
    return none;
  if (!models->functions.count)
    list_functions(module, models);
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  MlirOperation found = {
      (void *)(intptr_t)rm_map_or(&models->functions, hash_of(name), 0)};
  if (mlirOperationIsNull(found))
    return none;
  return mlirStringRefEqual(mlirStringAttrGetValue(symbol_name(found)), name)
             ? found
             : none;
}

/* Each function once. On a cycle the call that closes it counts as nothing:
 * such functions are not planned. */
static RmInner measure_callee(MlirOperation call, RmModels *models) {
  MlirOperation callee = find_callee(call, models);
  if (mlirOperationIsNull(callee))
    return (RmInner){0};
  uint64_t key = rm_map_pointer(callee.ptr);
  int64_t known = rm_map_or(&models->callees, key, 0);
  if (known)
    return *(RmInner *)(intptr_t)known;
  RmInner *inner = RM_NEW(models->pool, RmInner);
  rm_map_set(&models->callees, key, (int64_t)(intptr_t)inner);
  *inner = measure_regions(callee, false, models);
  return *inner;
}

/* Branches and functions make the results themselves. */
static void leave_out_results(MlirOperation op, const RmModels *models,
                              RmInner *inner) {
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i) {
    int64_t bytes = rm_value_bytes(mlirOperationGetResult(op, i), models);
    if (inner->workspace >= 0 && bytes > 0)
      inner->workspace -= bytes < inner->workspace ? bytes : inner->workspace;
  }
}

static RmInner measure(MlirOperation op, const RmOpRow *row, bool is_loop,
                       RmModels *models) {
  if (row && row->traits & RM_CALLS)
    return measure_callee(op, models);
  RmInner inner = {0};
  if (!mlirOperationGetNumRegions(op) || (row && row->traits & RM_SCALARS))
    return inner;
  if (!is_loop && row->work != RM_WORK_BRANCH)
    return inner;
  inner = measure_regions(op, is_loop, models);
  inner.cost = rm_times(inner.cost, is_loop ? count_trips(op) : 1);
  return inner;
}

RmInner rm_op_inner(MlirOperation op, const RmOpRow *row, RmModels *models) {
  bool is_loop = !row || row->work == RM_WORK_LOOP;
  RmInner inner = measure(op, row, is_loop, models);
  if (!is_loop)
    leave_out_results(op, models, &inner);
  return inner;
}
