/* lib/model/model.c - what one op means: interfaces, table, attributes.
 *
 * Whether an op is pure is settled in this order: `remat.recomputable` on it; a
 * file of models; a row that says it is kept; its memory effects, if it is
 * registered and says any; its row; and then all ops in its regions, by the
 * same rules. */
#include "model/table.h"

#include "shim/shim.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <string.h>

/*===-- Attributes of the design's section 2 ------------------------------===*/

static MlirAttribute attribute_of(MlirOperation op, const char *name) {
  if (!mlirOperationGetNumDiscardableAttributes(op))
    return mlirAttributeGetNull();
  return mlirOperationGetDiscardableAttributeByName(
      op, mlirStringRefCreateFromCString(name));
}

typedef enum Answer { NO, YES, UNSAID } Answer;

static Answer said_recomputable(MlirOperation op, const RmModels *models) {
  MlirAttribute value = attribute_of(op, "remat.recomputable");
  if (!mlirAttributeIsNull(value) && mlirAttributeIsABool(value))
    return mlirBoolAttrGetValue(value) ? YES : NO;
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAUnit(value))
    return YES;
  const RmGiven *given = rm_op_given(op, models);
  if (!given || !given->has_recomputable)
    return UNSAID;
  return given->recomputable ? YES : NO;
}

/* From the attribute, else from a file; stays as it is if neither says it. */
static void set_number(MlirOperation op, const char *name, int64_t given,
                       int64_t *number) {
  int64_t said;
  if (rm_read_integer(attribute_of(op, name), &said) && said >= 0)
    *number = said;
  else if (given >= 0)
    *number = given;
}

static int64_t item_of(MlirAttribute array, intptr_t i) {
  int64_t item;
  return rm_read_integer(mlirArrayAttrGetElement(array, i), &item) ? item : -1;
}

static bool has_operand(MlirOperation op, int64_t operand) {
  return operand >= 0 && operand < mlirOperationGetNumOperands(op);
}

static int given_alias(MlirOperation op, int result, const RmModels *models) {
  const RmGiven *given = rm_op_given(op, models);
  for (int32_t i = 0; given && i < given->num_aliases; ++i)
    if (given->aliases[i][0] == result && has_operand(op, given->aliases[i][1]))
      return given->aliases[i][1];
  return -1;
}

/* remat.alias = [[result, operand]...]; -1 if it does not name the result. */
static int said_alias(MlirOperation op, int result, const RmModels *models) {
  MlirAttribute pairs = attribute_of(op, "remat.alias");
  if (mlirAttributeIsNull(pairs) || !mlirAttributeIsAArray(pairs))
    return given_alias(op, result, models);
  for (intptr_t i = 0, n = mlirArrayAttrGetNumElements(pairs); i < n; ++i) {
    MlirAttribute pair = mlirArrayAttrGetElement(pairs, i);
    if (!mlirAttributeIsAArray(pair) || mlirArrayAttrGetNumElements(pair) != 2)
      continue;
    if (item_of(pair, 0) == result && has_operand(op, item_of(pair, 1)))
      return (int)item_of(pair, 1);
  }
  return -1;
}

/*===-- Purity ------------------------------------------------------------===*/

typedef struct Purity {
  bool known, pure, collective;
} Purity;

/* Without the ops in its regions. */
static Purity own_purity(MlirOperation op, const RmOpRow *row,
                         const RmModels *models) {
  Answer said = said_recomputable(op, models);
  if (said != UNSAID)
    return (Purity){.known = true, .pure = said == YES};
  if (row && row->traits & RM_COLLECTIVE)
    return (Purity){.known = true, .pure = true, .collective = true};
  if (row && !(row->traits & RM_PURE))
    return (Purity){.known = true};
  unsigned effects = rm_op_effects(op);
  if (effects == RM_EFFECT_NONE)
    return (Purity){.known = true, .pure = true};
  if (effects != RM_EFFECT_UNKNOWN)
    return (Purity){.known = true};
  return (Purity){.known = row, .pure = row};
}

typedef struct Judgement {
  const RmModels *models;
  Purity purity;
} Judgement;

/* One refusal settles it; what the user answers for is not looked into. */
static MlirWalkResult judge_nested(MlirOperation op, void *data) {
  Judgement *whole = data;
  Purity own = own_purity(op, rm_op_row(op), whole->models);
  whole->purity.pure &= own.pure;
  whole->purity.collective |= own.collective;
  if (!whole->purity.pure)
    return MlirWalkResultInterrupt;
  return said_recomputable(op, whole->models) == UNSAID ? MlirWalkResultAdvance
                                                        : MlirWalkResultSkip;
}

static Purity purity_of(MlirOperation op, const RmOpRow *row,
                        const RmModels *models) {
  Judgement whole = {models, own_purity(op, row, models)};
  if (whole.purity.pure && mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, judge_nested, &whole, MlirWalkPreOrder);
  return whole.purity;
}

/*===-- Views and inits ---------------------------------------------------===*/

static bool has_trait(const RmOpRow *row, unsigned trait) {
  return row && row->traits & trait;
}

/* A part that something is written into becomes memory of its own. */
static bool is_written_into(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (rm_model_starts_result(mlirOpOperandGetOwner(use),
                               (int)mlirOpOperandGetOperandNumber(use)))
      return true;
  return false;
}

static bool is_view(MlirOperation op, const RmOpRow *row, bool for_arena) {
  if (!row)
    return for_arena && rm_op_is_view_like(op);
  if (!(row->traits & (for_arena ? RM_VIEW_ARENA : RM_VIEW_LIVE)))
    return false;
  return row->moves != RM_MOVES_RESULT ||
         !is_written_into(mlirOperationGetResult(op, 0));
}

int rm_model_alias(MlirOperation op, int i, const RmModels *models) {
  const RmOpRow *row = rm_op_row(op);
  int said = said_alias(op, i, models);
  if (said >= 0 || i >= mlirOperationGetNumOperands(op))
    return said;
  if (has_trait(row, RM_IDENTITY))
    return i;
  return i == 0 && mlirOperationGetNumResults(op) > 0 &&
                 is_view(op, row, models->for_arena)
             ? 0
             : -1;
}

static bool is_init_operand(MlirOperation op, int i) {
  for (int k = 0, n = rm_op_num_inits(op); k < n; ++k)
    if (rm_op_init(op, k) == i)
      return true;
  return false;
}

bool rm_model_starts_result(MlirOperation op, int i) {
  const RmOpRow *row = rm_op_row(op);
  intptr_t results = mlirOperationGetNumResults(op);
  if (has_trait(row, RM_STARTS))
    return i < results;
  if (has_trait(row, RM_CARRIES))
    return i >= mlirOperationGetNumOperands(op) - results;
  return is_init_operand(op, i);
}

/* The body of a structured op has an argument for each operand; an init whose
 * argument nobody reads only has the right shape. */
static bool is_unread_init(MlirOperation op, int i) {
  if (mlirOperationGetNumRegions(op) != 1 || !is_init_operand(op, i))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (mlirBlockIsNull(body) ||
      mlirBlockGetNumArguments(body) != mlirOperationGetNumOperands(op))
    return false;
  return mlirOpOperandIsNull(
      mlirValueGetFirstUse(mlirBlockGetArgument(body, i)));
}

bool rm_model_shape_only(MlirOperation op, int i) {
  const RmOpRow *row = rm_op_row(op);
  if (row && i < 32 && row->shape_only >> i & 1)
    return true;
  return is_unread_init(op, i);
}

static bool is_constant_value(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  return has_trait(rm_op_row(mlirOpResultGetOwner(value)), RM_CONSTANT);
}

/* Where fit=live counts, a fill is a value like any other. */
static bool is_init(MlirOperation op, const RmOpRow *row, bool for_arena) {
  if (!has_trait(row, RM_INIT) || mlirOperationGetNumResults(op) != 1)
    return false;
  if (!rm_op_num_inits(op))
    return true;
  return for_arena && is_constant_value(mlirOperationGetOperand(op, 0));
}

/*===-- The whole ---------------------------------------------------------===*/

RmModels rm_models_create(MlirOperation scope, bool for_arena, RmPool *pool) {
  return (RmModels){.pool = pool,
                    .target = rm_target_of(scope),
                    .for_arena = for_arena,
                    .callees = rm_map_create(pool),
                    .functions = rm_map_create(pool),
                    .given = rm_map_create(pool)};
}

bool rm_model_knows(MlirOperation op, const RmModels *models) {
  return own_purity(op, rm_op_row(op), models).known;
}

RmOpModel rm_model_of(MlirOperation op, RmModels *models) {
  const RmOpRow *row = rm_op_row(op);
  const RmGiven *given = rm_op_given(op, models);
  Purity purity = purity_of(op, row, models);
  RmOpModel model = {.known = purity.known,
                     .pure = purity.pure,
                     .collective = purity.collective,
                     .is_constant = has_trait(row, RM_CONSTANT),
                     .is_identity = has_trait(row, RM_IDENTITY),
                     .is_init = is_init(op, row, models->for_arena)};
  model.pure &= !model.is_identity;
  RmInner inner = rm_op_inner(op, row, models);
  model.workspace = inner.workspace;
  model.cost = rm_plus(inner.cost, rm_op_cost(op, row, models));
  set_number(op, "remat.cost", given ? given->cost : -1, &model.cost);
  set_number(op, "remat.workspace", given ? given->workspace : -1,
             &model.workspace);
  return model;
}
