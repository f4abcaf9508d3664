/* lib/ir/write.c - a schedule back into the block.
 *
 * One walk over the schedule puts the block in its new order, in place: an op
 * that runs next and stands at the cursor stays where it is, any other moves
 * there. What the schedule leaves alone is not touched. See writer.h. */
#include "ir/build.h"
#include "ir/op-shapes.h"
#include "ir/writer.h"

/*===-- Steps -------------------------------------------------------------===*/

static void write_clone(RmWriter *w, MlirOperation op) {
  MlirLocation where = mlirOperationGetLocation(op);
  MlirOperation clone = mlirOperationClone(op);
  if (w->again)
    mlirOperationSetLocation(clone, where = rm_location_again(where));
  rm_write_read_step(w, clone, where);
  rm_write_insert(w, clone);
  rm_write_name_results(w, op, clone);
}

/* The original, unless it stands already or belongs to another group first. */
static void write_op(RmWriter *w, int32_t at) {
  const RmWritePlace *place = &w->places.items[at];
  MlirOperation op = place->op;
  if (place->placed ||
      (place->home >= 0 && place->home != w->schedule.steps[w->step])) {
    write_clone(w, op);
    return;
  }
  rm_write_read_step(w, op, mlirOperationGetLocation(op));
  if (rm_op_is_named(op, "remat.recompute"))
    rm_write_keep_fence_apart(w, op);
  rm_write_move_here(w, op);
}

/* Writes an op of the group right after those of the group that it reads. */
static void write_member(RmWriter *w, MlirOperation op) {
  int32_t at = rm_write_place(w, op);
  if (w->places.items[at].written == w->step ||
      mlirOperationEqual(op, w->replaced))
    return;
  w->places.items[at].written = w->step;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int32_t slot = rm_write_slot(w, mlirOperationGetOperand(op, i));
    if (slot >= 0 && rm_write_is_internal(w, slot))
      write_member(w, w->places.items[w->slots.items[slot].place].op);
  }
  write_op(w, at);
}

/* An init that is the root of another group is read here under the name of its
 * copy, but nowhere else. */
static void lend_inits(RmWriter *w, const RmGroup *group) {
  for (int32_t i = 0; i + 1 < group->count; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumResults(group->ops[i]); ++k) {
      int32_t slot = rm_write_slot(w, mlirOperationGetResult(group->ops[i], k));
      RmLentName saved = {.slot = slot,
                          .name = w->slots.items[slot].name,
                          .made = w->slots.items[slot].made};
      if (slot < (int32_t)w->ir->graph->values.count)
        rm_vec_push(w->pool, &w->group, saved);
    }
}

static void take_back_inits(RmWriter *w) {
  while (w->group.count) {
    RmLentName *saved = &w->group.items[--w->group.count];
    w->slots.items[saved->slot].name = saved->name;
    w->slots.items[saved->slot].made = saved->made;
  }
}

static bool is_init(MlirOperation op) {
  return rm_op_is_named(op, "tensor.empty") ||
         rm_op_is_named(op, "linalg.fill");
}

static void write_group(RmWriter *w, const RmGroup *group) {
  rm_write_enter_group(w, w->step);
  lend_inits(w, group);
  for (int32_t i = 0; i < group->count; ++i)
    if (i + 1 == group->count || !is_init(group->ops[i]))
      write_member(w, group->ops[i]);
  take_back_inits(w);
}

/* A checkpoint is not kept a second time. */
static void pass_checkpoint(RmWriter *w, MlirOperation checkpoint) {
  MlirValue value = rm_write_name(w, mlirOperationGetOperand(checkpoint, 0));
  int32_t slot = rm_write_slot(w, mlirOperationGetResult(checkpoint, 0));
  w->slots.items[slot].name = value;
}

static void write_checkpoints(RmWriter *w, MlirOperation root) {
  int32_t op = w->schedule.steps[w->step];
  const RmOp *info = &w->ir->graph->ops.items[op];
  for (int32_t i = 0; i < info->num_results; ++i) {
    int32_t slot = info->first_result + i;
    if (!w->fences.saved[w->fences.first_instance[w->step] + i])
      continue;
    MlirOperation checkpoint = rm_build_checkpoint(
        w->slots.items[slot].name, mlirOperationGetLocation(root));
    rm_write_insert(w, checkpoint);
    rm_write_set_name(w, slot, mlirOperationGetResult(checkpoint, 0));
    ++w->done.checkpoints;
  }
}

static void write_step(RmWriter *w, int32_t step) {
  int32_t op = w->schedule.steps[step];
  const RmGroup *group = &w->ir->groups[op];
  MlirOperation root = group->ops[group->count - 1];
  w->step = step;
  w->again = w->ran[op];
  w->ran[op] = 1;
  w->replaced = (MlirOperation){NULL};
  w->replacement = (MlirValue){NULL};
  rm_write_meet_fences(w);
  if (w->again && rm_op_is_named(root, "remat.checkpoint")) {
    pass_checkpoint(w, root);
  } else {
    write_group(w, group);
    w->done.clones += w->again;
  }
  rm_write_restore(w, &w->single);
  write_checkpoints(w, root);
}

/*===-- The whole block ---------------------------------------------------===*/

static void enter_values(RmWriter *w) {
  for (size_t v = 0; v < w->ir->graph->values.count; ++v)
    rm_write_add_slot(w, w->ir->values[v], -1);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(w->ir->block); ++i) {
    MlirValue argument = mlirBlockGetArgument(w->ir->block, i);
    if (rm_write_slot(w, argument) < 0)
      rm_write_add_slot(w, argument, -1);
  }
}

static void enter_op(RmWriter *w, MlirOperation op) {
  int32_t at = (int32_t)w->places.count;
  RmWritePlace place = {.op = op, .home = -1, .member = -1, .written = -1};
  rm_map_set(&w->place_of, rm_map_pointer(op.ptr), at);
  rm_vec_push(w->pool, &w->places, place);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue value = mlirOperationGetResult(op, i);
    int32_t slot = rm_write_slot(w, value);
    if (slot < 0)
      slot = rm_write_add_slot(w, value, at);
    w->slots.items[slot].place = at;
    w->slots.items[slot].made = false;
  }
}

static void enter_block(RmWriter *w) {
  enter_values(w);
  MlirOperation next, op = mlirBlockGetFirstOperation(w->ir->block);
  for (; next = mlirOperationGetNextInBlock(op), !mlirOperationIsNull(next);
       op = next)
    enter_op(w, op);
  for (int32_t i = 0; i < (int32_t)w->ir->graph->ops.count; ++i) {
    const RmGroup *group = &w->ir->groups[i];
    for (int32_t k = 0; k < group->count; ++k)
      w->places.items[rm_write_place(w, group->ops[k])].grouped = true;
    w->places.items[rm_write_place(w, group->ops[group->count - 1])].home = i;
  }
}

static bool is_identity(const RmGraph *graph, const RmSchedule *schedule) {
  for (int32_t step = 0; step < schedule->count; ++step)
    if (schedule->steps[step] != step)
      return false;
  return schedule->count == (int32_t)graph->ops.count;
}

RmRewrite rm_ir_write(RmIr *ir, const RmSchedule *schedule) {
  RmPool *pool = ir->pool;
  RmWriter w = {.ir = ir,
                .pool = pool,
                .schedule = rm_schedule_without_dead(ir->graph, schedule, pool),
                .slot_of = rm_map_create(pool),
                .place_of = rm_map_create(pool),
                .operand_lists = rm_map_create(pool),
                .fenced_as = rm_map_create(pool)};
  if (is_identity(ir->graph, &w.schedule))
    return w.done;
  w.fences =
      rm_fences_place(ir->graph, &w.schedule, rm_ir_shapes(ir, pool), pool);
  w.fenced = RM_NEW_ARRAY(pool, RmFenced, w.fences.from.count + 1);
  w.ran = RM_NEW_ARRAY(pool, uint8_t, ir->graph->ops.count);
  w.cursor = mlirBlockGetFirstOperation(ir->block);
  enter_block(&w);
  rm_write_skip_constants(&w);
  for (int32_t step = 0; step < w.schedule.count; ++step)
    write_step(&w, step);
  rm_write_restore(&w, &w.region);
  rm_write_read(&w, mlirBlockGetTerminator(ir->block));
  return w.done;
}
