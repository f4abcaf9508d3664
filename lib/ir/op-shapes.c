/* lib/ir/op-shapes.c - what cse would see of each group of a function.
 *
 * The kind of a group is a key of its ops in which each input is named by its
 * place among the inputs, so that it is the same wherever these come from. */
#include "ir/op-shapes.h"
#include "ir/build.h"
#include "ir/op-key.h"
#include "shim/shim.h"

#include "mlir-c/BuiltinTypes.h"

typedef struct Group {
  const RmIr *ir;
  RmMap own;      /* what regions define, for rm_op_key */
  RmMap internal; /* MlirValue.ptr to a number, of the group at hand */
  int32_t op;
  int32_t *place; /* by graph value: among the inputs of op `owner` */
  int32_t *owner;
  bool has_own_input;
} Group;

static uint64_t number_of(void *context, MlirOperation reader, intptr_t i,
                          MlirValue value) {
  (void)reader, (void)i;
  Group *group = context;
  int64_t found;
  if (rm_map_get(&group->internal, rm_map_pointer(value.ptr), &found) &&
      found >> 32 == group->op)
    return rm_key_mix(1, (uint64_t)(uint32_t)found);
  if (rm_map_get(&group->ir->numbers, rm_map_pointer(value.ptr), &found) &&
      group->owner[found] == group->op)
    return rm_key_mix(2, (uint64_t)group->place[found]);
  group->has_own_input = true;
  if (mlirValueIsAOpResult(value) &&
      !mlirOperationGetNumOperands(mlirOpResultGetOwner(value)))
    return rm_key_mix(3, rm_op_hash(mlirOpResultGetOwner(value)));
  return rm_key_mix(4, rm_map_pointer(mlirValueGetType(value).ptr));
}

static void enter_inputs(Group *group) {
  const RmGraph *g = group->ir->graph;
  for (int32_t i = 0; i < g->ops.items[group->op].num_inputs; ++i) {
    int32_t value = rm_op_inputs(g, group->op)[i];
    group->owner[value] = group->op;
    group->place[value] = i;
  }
}

static void enter_results(Group *group, MlirOperation op, int64_t *count) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    rm_map_set(&group->internal,
               rm_map_pointer(mlirOperationGetResult(op, i).ptr),
               (int64_t)group->op << 32 | (*count)++);
}

static bool is_own_init(MlirOperation op) {
  return !mlirOperationGetNumOperands(op) && mlirOperationGetNumResults(op) &&
         mlirTypeIsATensor(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static RmIdentity identity_of(MlirOperation op) {
  if (rm_op_is_named(op, "remat.checkpoint"))
    return RM_CHECKPOINT;
  return rm_op_is_fence(op) ? RM_FENCE : RM_NO_IDENTITY;
}

static RmOpShape shape_of(Group *group, int32_t op) {
  const RmGroup *ops = &group->ir->groups[op];
  uint64_t kind = 0;
  int64_t results = 0;
  group->op = op;
  group->has_own_input = false;
  enter_inputs(group);
  for (int32_t i = 0; i < ops->count; ++i) {
    kind =
        rm_key_mix(kind, rm_op_key(ops->ops[i], number_of, group, &group->own));
    enter_results(group, ops->ops[i], &results);
    group->has_own_input |= i + 1 < ops->count && is_own_init(ops->ops[i]);
  }
  return (RmOpShape){.kind = kind,
                     .identity = identity_of(ops->ops[ops->count - 1]),
                     .has_own_input = group->has_own_input};
}

RmOpShape *rm_ir_shapes(const RmIr *ir, RmPool *pool) {
  size_t ops = ir->graph->ops.count, values = ir->graph->values.count;
  RmOpShape *shapes = RM_NEW_ARRAY(pool, RmOpShape, ops + 1);
  Group group = {.ir = ir,
                 .own = rm_map_create(pool),
                 .internal = rm_map_create(pool),
                 .place = RM_NEW_ARRAY(pool, int32_t, values + 1),
                 .owner = RM_NEW_ARRAY(pool, int32_t, values + 1)};
  for (size_t v = 0; v < values; ++v)
    group.owner[v] = -1;
  for (int32_t op = 0; op < (int32_t)ops; ++op)
    shapes[op] = shape_of(&group, op);
  return shapes;
}
