/* lib/ir/compare.c - does a planned function still compute what it did?
 *
 * Each value gets two numbers. The first says what it holds: it is a hash of
 * the op and of what that reads, and looks through identities. The second is
 * how cse sees it: the same, but what comes out of a fence is new. An op that
 * may not be recomputed has its place among all such ops in its number too, so
 * that running it twice gives two values.
 *
 * An operand that only shapes a result (the init of an op that writes all of
 * it) counts by its type: the planner may put an empty tensor there. */
#include "ir/compare.h"
#include "ir/build.h"
#include "ir/op-key.h"
#include "model/model.h"
#include "shim/shim.h"
#include "support/vec.h"

#include "mlir-c/BuiltinAttributes.h"

typedef struct Number {
  uint64_t value; /* what it holds */
  uint64_t name;  /* how cse sees it */
} Number;

/* An op that may not be recomputed. */
typedef struct Fixed {
  MlirOperation op;
  uint64_t key; /* without its place */
} Fixed;

/* One of the two functions. */
typedef struct Side {
  RmModels models;
  RmMap index; /* MlirValue.ptr to `numbers` */
  RM_VEC(Number) numbers;
  RM_VEC(Fixed) fixed;
  RmMap count; /* of ops, by what they compute */
  RmMap names; /* of ops that read anything, as cse sees them */
  uint64_t fences;
} Side;

typedef struct Comparison {
  RmPool *pool;
  RmMap own; /* for rm_op_key */
  const RmCompareOptions *options;
  bool by_name; /* which numbers rm_op_key is to see */
  bool read_anything;
  MlirValue unknown; /* that is read before it is made, or null */
  Side original, planned;
  Side *side; /* the one at hand */
} Comparison;

/*===-- Numbers -----------------------------------------------------------===*/

static void set_number(Comparison *c, MlirValue value, Number number) {
  rm_map_set(&c->side->index, rm_map_pointer(value.ptr),
             (int64_t)c->side->numbers.count);
  rm_vec_push(c->pool, &c->side->numbers, number);
}

static Number number_of(Comparison *c, MlirValue value) {
  int64_t at = rm_map_or(&c->side->index, rm_map_pointer(value.ptr), -1);
  if (at >= 0)
    return c->side->numbers.items[at];
  c->unknown = value;
  return (Number){0};
}

static uint64_t number_operand(void *context, MlirOperation reader, intptr_t i,
                               MlirValue value) {
  Comparison *c = context;
  Number number = number_of(c, value);
  c->read_anything = true;
  if (c->by_name)
    return number.name;
  if (rm_model_starts_result(reader, (int)i) &&
      rm_model_shape_only(reader, (int)i))
    return rm_map_pointer(mlirValueGetType(value).ptr);
  return number.value;
}

static uint64_t key_of(Comparison *c, MlirOperation op, bool by_name) {
  c->by_name = by_name;
  c->read_anything = false;
  return rm_op_key(op, number_operand, c, &c->own);
}

static void add_count(RmMap *counts, uint64_t key) {
  rm_map_set(counts, key, rm_map_or(counts, key, 0) + 1);
}

static void pass_identity(Comparison *c, MlirOperation op) {
  bool fence = rm_op_is_fence(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    Number number = number_of(c, mlirOperationGetOperand(op, i));
    if (fence)
      number.name = rm_key_mix(rm_map_pointer(c->side), ++c->side->fences);
    set_number(c, mlirOperationGetResult(op, i), number);
  }
}

static bool may_be_recomputed(Comparison *c, const RmOpModel *model) {
  return model->is_constant || model->is_init || model->pure ||
         (model->collective && c->options->recompute_collectives);
}

typedef struct OpKeys {
  uint64_t value, name;
  bool fixed, mergeable;
} OpKeys;

/* Numbers what `op` makes. */
static OpKeys enter_op(Comparison *c, MlirOperation op) {
  RmOpModel model = rm_model_of(op, &c->side->models);
  OpKeys keys = {.fixed = !may_be_recomputed(c, &model)};
  keys.name = key_of(c, op, true);
  keys.value = key_of(c, op, false);
  keys.mergeable = !keys.fixed && c->read_anything && !model.is_init;
  uint64_t value = keys.value, name = keys.name;
  if (keys.fixed) {
    rm_vec_push(c->pool, &c->side->fixed,
                ((Fixed){.op = op, .key = keys.value}));
    value = rm_key_mix(value, c->side->fixed.count);
    name = rm_key_mix(name, c->side->fixed.count);
  }
  add_count(&c->side->count, keys.value);
  if (keys.mergeable)
    add_count(&c->side->names, keys.name);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    set_number(c, mlirOperationGetResult(op, i),
               (Number){.value = rm_key_mix(value, (uint64_t)i + 1),
                        .name = rm_key_mix(name, (uint64_t)i + 1)});
  return keys;
}

static bool is_identity(MlirOperation op) {
  return rm_op_is_fence(op) || rm_op_is_named(op, "remat.checkpoint");
}

static MlirBlock body_of(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

static void enter_arguments(Comparison *c, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    uint64_t number = rm_key_mix(0x617267u, (uint64_t)i);
    set_number(c, mlirBlockGetArgument(block, i), (Number){number, number});
  }
}

/*===-- Judgement ---------------------------------------------------------===*/

static bool refuse(MlirOperation op, const char *what, MlirOperation other,
                   const char *note) {
  RmDiagnostic *diagnostic =
      rm_diagnostic_begin(RM_ERROR, mlirOperationGetLocation(op), what);
  if (!mlirOperationIsNull(other))
    rm_diagnostic_note(diagnostic, mlirOperationGetLocation(other), note);
  rm_diagnostic_end(diagnostic);
  return false;
}

static const char *quote(Comparison *c, MlirOperation op, const char *text) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return rm_pool_printf(c->pool, "'%.*s' %s", (int)name.length, name.data,
                        text);
}

/* The op that may not be recomputed must be the next one of the original. */
static bool check_fixed(Comparison *c, MlirOperation op) {
  const size_t at = c->planned.fixed.count - 1;
  uint64_t key = c->planned.fixed.items[at].key;
  if (at < c->original.fixed.count && c->original.fixed.items[at].key == key)
    return true;
  int64_t before = rm_map_or(&c->original.count, key, 0);
  if (before && rm_map_or(&c->planned.count, key, 0) > before)
    return refuse(
        op,
        quote(c, op, "may not be recomputed, but runs more often than it did"),
        (MlirOperation){NULL}, "");
  if (at >= c->original.fixed.count)
    return refuse(
        op,
        quote(c, op, "may not be recomputed, and the original does not run it"),
        (MlirOperation){NULL}, "");
  return refuse(op,
                quote(c, op,
                      before ? "may not be recomputed, but has left its place"
                             : "may not be recomputed, but reads other values "
                               "than it did"),
                c->original.fixed.items[at].op,
                "the original runs this at its place");
}

static bool check_clone(Comparison *c, MlirOperation op, const OpKeys *keys) {
  int64_t before = rm_map_or(&c->original.names, keys->name, 1);
  if (!keys->mergeable ||
      rm_map_or(&c->planned.names, keys->name, 0) <= before ||
      rm_map_or(&c->planned.count, keys->value, 0) <=
          rm_map_or(&c->original.count, keys->value, 0))
    return true;
  return refuse(op,
                quote(c, op,
                      "is recomputed, but cse would merge it with the op it "
                      "equals: nothing it reads comes out of a fence"),
                (MlirOperation){NULL}, "");
}

static bool is_empty_tensor(MlirOperation op) {
  return rm_op_is_named(op, "tensor.empty");
}

static bool check_op(Comparison *c, MlirOperation op) {
  OpKeys keys = enter_op(c, op);
  if (!mlirValueIsNull(c->unknown))
    return refuse(op, quote(c, op, "reads a value before it is made"),
                  (MlirOperation){NULL}, "");
  if (keys.fixed)
    return check_fixed(c, op);
  if (!rm_map_or(&c->original.count, keys.value, 0) && !is_empty_tensor(op))
    return refuse(
        op, quote(c, op, "computes a value that the original does not compute"),
        (MlirOperation){NULL}, "");
  return check_clone(c, op, &keys);
}

static bool check_returned(Comparison *c, MlirOperation end,
                           MlirOperation original_end) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); ++i) {
    c->side = &c->original;
    uint64_t before =
        number_of(c, mlirOperationGetOperand(original_end, i)).value;
    c->side = &c->planned;
    if (number_of(c, mlirOperationGetOperand(end, i)).value == before)
      continue;
    return refuse(end,
                  rm_pool_printf(c->pool,
                                 "result %d is not what the original returns",
                                 (int)i),
                  original_end, "the original's return");
  }
  return true;
}

static bool check_none_missing(Comparison *c, MlirOperation end) {
  size_t count = c->planned.fixed.count;
  if (count == c->original.fixed.count)
    return true;
  MlirOperation missing = c->original.fixed.items[count].op;
  return refuse(
      end, quote(c, missing, "of the original is not run, and has effects"),
      missing, "this one");
}

static MlirOperation enter_original(Comparison *c, MlirBlock block) {
  c->side = &c->original;
  enter_arguments(c, block);
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  for (; next = mlirOperationGetNextInBlock(op), !mlirOperationIsNull(next);
       op = next)
    if (is_identity(op))
      pass_identity(c, op);
    else
      enter_op(c, op);
  return op;
}

static bool check_blocks(Comparison *c, MlirBlock block, MlirBlock original) {
  MlirOperation original_end = enter_original(c, original);
  c->side = &c->planned;
  enter_arguments(c, block);
  MlirOperation next, op = mlirBlockGetFirstOperation(block);
  for (; next = mlirOperationGetNextInBlock(op), !mlirOperationIsNull(next);
       op = next)
    if (is_identity(op))
      pass_identity(c, op);
    else if (!check_op(c, op))
      return false;
  return check_none_missing(c, op) && check_returned(c, op, original_end);
}

/*===-- Functions ---------------------------------------------------------===*/

static bool has_one_block(MlirOperation function) {
  MlirBlock block = body_of(function);
  return !mlirBlockIsNull(block) &&
         mlirBlockIsNull(mlirBlockGetNextInRegion(block));
}

static MlirAttribute type_of(MlirOperation function) {
  return mlirOperationGetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"));
}

static bool is_body_equal(Comparison *c, MlirOperation planned,
                          MlirOperation original) {
  c->side = &c->planned;
  uint64_t key = rm_region_key(mlirOperationGetRegion(planned, 0),
                               number_operand, c, &c->own);
  c->side = &c->original;
  return key == rm_region_key(mlirOperationGetRegion(original, 0),
                              number_operand, c, &c->own);
}

static bool prepare_side(Comparison *c, Side *side, MlirOperation function) {
  *side = (Side){.models = rm_models_create(function, true, c->pool),
                 .index = rm_map_create(c->pool),
                 .count = rm_map_create(c->pool),
                 .names = rm_map_create(c->pool)};
  const char *path = c->options->models;
  const char *wrong = *path ? rm_models_load(&side->models, path) : NULL;
  if (wrong)
    rm_emit(RM_ERROR, mlirOperationGetLocation(function), "option 'models': %s",
            wrong);
  return !wrong;
}

bool rm_ir_compare(MlirOperation planned, MlirOperation original,
                   const RmCompareOptions *options, RmPool *pool) {
  Comparison c = {.pool = pool, .own = rm_map_create(pool), .options = options};
  if (!prepare_side(&c, &c.original, original) ||
      !prepare_side(&c, &c.planned, planned))
    return false;
  if (!mlirAttributeEqual(type_of(planned), type_of(original)))
    return refuse(planned, "the type of the function changed", original,
                  "the original");
  if (has_one_block(planned) && has_one_block(original))
    return check_blocks(&c, body_of(planned), body_of(original));
  return is_body_equal(&c, planned, original) ||
         refuse(planned,
                "the function differs from the original, and only functions "
                "of one block are planned",
                original, "the original");
}
