/* lib/ir/scan.c - ops of a block, what they read, and which belong together.
 *
 * Roles are settled from the last op to the first, so that those of an op's
 * readers are known. An init that only starts results is in its readers'
 * groups. An op whose only use is to start a result joins that op's group,
 * where this makes no life longer that matters: if it stands right before it
 * (but for what takes no room), or if what it reads lives on until there. What
 * it starts from itself does not count: the one is as large as the other.
 *
 * Time is linear in operands and uses. */
#include "ir/scan.h"

#include <stdlib.h>

/*===-- Reading -----------------------------------------------------------===*/

static bool is_of_block(const RmScan *scan, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), scan->block);
  return mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(value)),
                        scan->block);
}

int32_t rm_scan_maker(const RmScan *scan, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return -1;
  return (int32_t)rm_map_or(
      &scan->places, rm_map_pointer(mlirOpResultGetOwner(value).ptr), -1);
}

static void add_read(RmScan *scan, MlirValue value) {
  rm_vec_push(scan->pool, &scan->reads, value);
  rm_map_set(&scan->last_read, rm_map_pointer(value.ptr),
             (int64_t)scan->ops.count);
}

static MlirWalkResult add_captured(MlirOperation op, void *data) {
  RmScan *scan = data;
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!mlirBlockEqual(mlirOperationGetBlock(op), scan->block) &&
        is_of_block(scan, value))
      add_read(scan, value);
  }
  return MlirWalkResultAdvance;
}

static bool is_shared(const RmScan *scan, MlirOperation op, intptr_t operand) {
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op); i < n; ++i)
    if (rm_model_alias(op, (int)i, &scan->models) == operand)
      return true;
  return false;
}

/* For an arena an operand that only shapes what starts from it is no read. */
static void add_operands(RmScan *scan, MlirOperation op) {
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i)
    if (!scan->models.for_arena || !rm_model_starts_result(op, (int)i) ||
        !rm_model_shape_only(op, (int)i) || is_shared(scan, op, i))
      add_read(scan, mlirOperationGetOperand(op, i));
}

static void add_op(RmScan *scan, MlirOperation op) {
  RmScanned scanned = {.op = op,
                       .model = rm_model_of(op, &scan->models),
                       .first_read = (int32_t)scan->reads.count};
  add_operands(scan, op);
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, add_captured, scan, MlirWalkPreOrder);
  scanned.num_reads = (int32_t)scan->reads.count - scanned.first_read;
  rm_map_set(&scan->places, rm_map_pointer(op.ptr), (int64_t)scan->ops.count);
  rm_vec_push(scan->pool, &scan->ops, scanned);
}

/*===-- Roles -------------------------------------------------------------===*/

/* A view that is written into counts as what it views. */
static bool starts_from(const RmScan *scan, int32_t reader, intptr_t operand) {
  const RmScanned *op = &scan->ops.items[reader];
  if (op->role == RM_ROLE_END)
    return false;
  if (op->role == RM_ROLE_MEMBER &&
      rm_model_alias(op->op, 0, &scan->models) == operand)
    return true;
  return rm_model_starts_result(op->op, (int)operand);
}

typedef struct Uses {
  int32_t count, starts; /* how many there are; how many start results */
  int32_t reader;        /* one of them, -1 if in a region */
} Uses;

static Uses find_uses(const RmScan *scan, MlirValue value) {
  Uses uses = {.reader = -1};
  for (MlirOpOperand use = mlirValueGetFirstUse(value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    ++uses.count;
    uses.reader = (int32_t)rm_map_or(
        &scan->places, rm_map_pointer(mlirOpOperandGetOwner(use).ptr), -1);
    if (uses.reader >= 0 &&
        starts_from(scan, uses.reader, mlirOpOperandGetOperandNumber(use)))
      ++uses.starts;
  }
  return uses;
}

static int32_t find_root(const RmScan *scan, int32_t place) {
  const RmScanned *op = &scan->ops.items[place];
  return op->role == RM_ROLE_MEMBER ? op->owner : place;
}

/* Whether what the op at `place` reads is there at `root` in any case. */
static bool reads_live_until(const RmScan *scan, int32_t place, int32_t root) {
  const RmScanned *op = &scan->ops.items[place];
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op->op); i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(op->op, i);
    int32_t maker = rm_scan_maker(scan, value);
    if (maker < 0 || scan->ops.items[maker].model.is_constant ||
        rm_model_starts_result(op->op, (int)i) ||
        !rm_value_bytes(value, &scan->models))
      continue;
    if (rm_map_or(&scan->last_read, rm_map_pointer(value.ptr), -1) < root)
      return false;
  }
  return true;
}

static bool may_join(const RmScan *scan, const RmScanned *op) {
  return scan->models.for_arena && op->model.pure && !op->model.collective &&
         mlirOperationGetNumResults(op->op) == 1 &&
         !mlirOperationGetNumSuccessors(op->op);
}

/* `next` is the first place behind that takes room. */
static void settle_role(RmScan *scan, int32_t place, int32_t next) {
  RmScanned *op = &scan->ops.items[place];
  if (op->model.is_constant) {
    op->role = RM_ROLE_CONSTANT;
    return;
  }
  if (!op->model.is_init && !may_join(scan, op))
    return;
  Uses uses = find_uses(scan, mlirOperationGetResult(op->op, 0));
  if (!uses.count || uses.starts < uses.count)
    return;
  if (op->model.is_init) {
    op->role = RM_ROLE_INIT;
    return;
  }
  int32_t root = find_root(scan, uses.reader);
  if (uses.count > 1 || scan->ops.items[uses.reader].role == RM_ROLE_INIT ||
      (next != root && !reads_live_until(scan, place, root)))
    return;
  op->role = RM_ROLE_MEMBER;
  op->owner = root;
}

/* Views, fences and scalars may stand between a member and its root. */
static bool takes_room(const RmScan *scan, const RmScanned *op) {
  if (op->role != RM_ROLE_ROOT)
    return false;
  if (!op->model.pure && !op->model.is_identity)
    return true;
  for (intptr_t i = 0, n = mlirOperationGetNumResults(op->op); i < n; ++i)
    if (rm_model_alias(op->op, (int)i, &scan->models) < 0 &&
        rm_value_bytes(mlirOperationGetResult(op->op, i), &scan->models))
      return true;
  return false;
}

static void settle_roles(RmScan *scan) {
  int32_t last = (int32_t)scan->ops.count - 1, next = last;
  if (last < 0)
    return;
  scan->ops.items[last].role = RM_ROLE_END;
  for (int32_t place = last - 1; place >= 0; --place) {
    settle_role(scan, place, next);
    if (takes_room(scan, &scan->ops.items[place]))
      next = place;
  }
}

RmScan *rm_scan_create(MlirBlock block, RmModels models, RmPool *pool) {
  RmScan *scan = RM_NEW(pool, RmScan);
  *scan = (RmScan){.pool = pool,
                   .models = models,
                   .block = block,
                   .places = rm_map_create(pool),
                   .last_read = rm_map_create(pool)};
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    add_op(scan, op);
  settle_roles(scan);
  scan->group = RM_NEW_ARRAY(pool, int32_t, scan->ops.count);
  for (size_t i = 0; i < scan->ops.count; ++i)
    scan->group[i] = -1;
  return scan;
}

/*===-- Groups ------------------------------------------------------------===*/

static bool belongs(const RmScan *scan, int32_t place, int32_t root) {
  const RmScanned *op = &scan->ops.items[place];
  return op->model.is_init || (op->role == RM_ROLE_MEMBER && op->owner == root);
}

static void add_to_group(RmScan *scan, RmIntVec *group, int32_t place,
                         int32_t root) {
  if (scan->group[place] == root)
    return;
  scan->group[place] = root;
  rm_vec_push(scan->pool, group, place);
}

static void add_starts(RmScan *scan, RmIntVec *group, int32_t place,
                       int32_t root) {
  MlirOperation op = scan->ops.items[place].op;
  for (intptr_t i = 0, n = mlirOperationGetNumOperands(op); i < n; ++i) {
    int32_t maker = rm_scan_maker(scan, mlirOperationGetOperand(op, i));
    if (maker >= 0 && belongs(scan, maker, root) && starts_from(scan, place, i))
      add_to_group(scan, group, maker, root);
  }
}

static int compare(const void *a, const void *b) {
  return *(const int32_t *)a - *(const int32_t *)b;
}

RmIntVec rm_scan_group(RmScan *scan, int32_t root) {
  RmIntVec group = {0};
  add_to_group(scan, &group, root, root);
  for (size_t i = 0; i < group.count; ++i)
    add_starts(scan, &group, group.items[i], root);
  qsort(group.items, group.count, sizeof *group.items, compare);
  return group;
}

bool rm_scan_is_inside(const RmScan *scan, MlirValue value, int32_t root) {
  int32_t maker = rm_scan_maker(scan, value);
  return maker >= 0 && scan->group[maker] == root;
}
