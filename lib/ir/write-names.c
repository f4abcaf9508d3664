/* lib/ir/write-names.c - which value an operand reads at the cursor. */
#include "ir/build.h"
#include "ir/writer.h"

#include <assert.h>

/*===-- Names -------------------------------------------------------------===*/

int32_t rm_write_slot(const RmWriter *w, MlirValue value) {
  return (int32_t)rm_map_or(&w->slot_of, rm_map_pointer(value.ptr), -1);
}

int32_t rm_write_place(const RmWriter *w, MlirOperation op) {
  return (int32_t)rm_map_or(&w->place_of, rm_map_pointer(op.ptr), -1);
}

int32_t rm_write_add_slot(RmWriter *w, MlirValue value, int32_t place) {
  RmWriteSlot slot = {
      .name = value, .place = place, .input = -1, .made = place < 0};
  rm_map_set(&w->slot_of, rm_map_pointer(value.ptr), (int64_t)w->slots.count);
  rm_vec_push(w->pool, &w->slots, slot);
  return (int32_t)w->slots.count - 1;
}

void rm_write_set_name(RmWriter *w, int32_t slot, MlirValue name) {
  w->slots.items[slot].name = name;
  w->slots.items[slot].made = true;
  rm_map_set(&w->slot_of, rm_map_pointer(name.ptr), slot);
}

void rm_write_lend(RmWriter *w, int32_t slot, MlirValue name,
                   RmLentNames *until) {
  const RmWriteSlot *old = &w->slots.items[slot];
  RmLentName saved = {
      .slot = slot, .name = old->name, .while_named = name, .made = old->made};
  rm_vec_push(w->pool, until, saved);
  rm_write_set_name(w, slot, name);
}

void rm_write_restore(RmWriter *w, RmLentNames *lent) {
  while (lent->count) {
    RmLentName *saved = &lent->items[--lent->count];
    RmWriteSlot *slot = &w->slots.items[saved->slot];
    if (!mlirValueEqual(slot->name, saved->while_named))
      continue; /* made anew meanwhile */
    slot->name = saved->name;
    slot->made = saved->made;
  }
}

/*===-- Placing -----------------------------------------------------------===*/

void rm_write_insert(RmWriter *w, MlirOperation op) {
  mlirBlockInsertOwnedOperationBefore(w->ir->block, w->cursor, op);
}

void rm_write_name_results(RmWriter *w, MlirOperation original,
                           MlirOperation made) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(original); ++i)
    rm_write_set_name(w, rm_write_slot(w, mlirOperationGetResult(original, i)),
                      mlirOperationGetResult(made, i));
}

static bool reads_are_made(const RmWriter *w, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int32_t slot = rm_write_slot(w, mlirOperationGetOperand(op, i));
    if (slot >= 0 && !w->slots.items[slot].made)
      return false;
  }
  return true;
}

void rm_write_skip_constants(RmWriter *w) {
  int32_t place;
  while ((place = rm_write_place(w, w->cursor)) >= 0 &&
         !w->places.items[place].grouped && reads_are_made(w, w->cursor)) {
    MlirOperation constant = w->cursor;
    w->places.items[place].placed = true;
    rm_write_read(w, constant);
    rm_write_name_results(w, constant, constant);
    w->cursor = mlirOperationGetNextInBlock(constant);
  }
}

void rm_write_move_here(RmWriter *w, MlirOperation op) {
  w->places.items[rm_write_place(w, op)].placed = true;
  rm_write_name_results(w, op, op);
  if (!mlirOperationEqual(op, w->cursor)) {
    mlirOperationMoveBefore(op, w->cursor);
    return;
  }
  w->cursor = mlirOperationGetNextInBlock(op);
  rm_write_skip_constants(w);
}

/*===-- Operands ----------------------------------------------------------===*/

MlirValue rm_write_name(RmWriter *w, MlirValue value) {
  int32_t slot = rm_write_slot(w, value);
  if (slot < 0)
    return value; /* of a region */
  int32_t place = w->slots.items[slot].place;
  if (place >= 0 && !w->places.items[place].grouped &&
      !w->places.items[place].placed) {
    rm_write_read(w, w->places.items[place].op);
    rm_write_move_here(w, w->places.items[place].op);
  }
  assert(w->slots.items[slot].made && "read before it is made");
  return w->slots.items[slot].name;
}

static void set_operand(MlirOperation op, intptr_t i, MlirValue value) {
  if (!mlirValueEqual(mlirOperationGetOperand(op, i), value))
    mlirOperationSetOperand(op, i, value);
}

static MlirWalkResult read_names_of(MlirOperation op, void *context) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    set_operand(op, i, rm_write_name(context, mlirOperationGetOperand(op, i)));
  return MlirWalkResultAdvance;
}

void rm_write_read(RmWriter *w, MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, read_names_of, w, MlirWalkPreOrder);
  else
    read_names_of(op, w);
}

typedef struct Inside {
  RmWriter *writer;
  MlirOperation outer;
} Inside;

static MlirWalkResult read_names_in_regions(MlirOperation op, void *context) {
  const Inside *inside = context;
  return mlirOperationEqual(op, inside->outer)
             ? MlirWalkResultAdvance
             : read_names_of(op, inside->writer);
}

bool rm_write_is_internal(const RmWriter *w, int32_t slot) {
  int32_t place = w->slots.items[slot].place;
  return place >= 0 && w->places.items[place].member == w->step;
}

bool rm_write_only_shapes(const RmWriter *w, MlirValue value) {
  int32_t slot = rm_write_slot(w, value);
  return slot >= 0 && slot < (int32_t)w->ir->graph->values.count &&
         w->slots.items[slot].input != w->step &&
         !rm_write_is_internal(w, slot);
}

/* An empty tensor for an operand that only shapes. It stands for the same slot,
 * so that a clone gets another one. */
static MlirValue make_shape(RmWriter *w, MlirValue value, MlirLocation where) {
  MlirValue empty = w->replacement;
  w->replacement = (MlirValue){NULL};
  if (mlirValueIsNull(empty)) {
    MlirOperation maker = rm_build_empty(mlirValueGetType(value), where);
    rm_write_insert(w, maker);
    empty = mlirOperationGetResult(maker, 0);
  }
  rm_map_set(&w->slot_of, rm_map_pointer(empty.ptr), rm_write_slot(w, value));
  return empty;
}

void rm_write_read_step(RmWriter *w, MlirOperation op, MlirLocation where) {
  RM_VEC(MlirValue) names = {0};
  bool stays = mlirOperationEqual(op, w->cursor);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    bool shapes = rm_write_only_shapes(w, value) &&
                  !(stays && w->slots.items[rm_write_slot(w, value)].made);
    rm_vec_push(w->pool, &names,
                shapes ? make_shape(w, value, where) : rm_write_name(w, value));
  }
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, read_names_in_regions, &(Inside){w, op},
                      MlirWalkPreOrder);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    set_operand(op, i, names.items[i]);
}

void rm_write_enter_group(RmWriter *w, int32_t step) {
  int32_t op = w->schedule.steps[step];
  const RmGraph *g = w->ir->graph;
  const RmGroup *group = &w->ir->groups[op];
  for (int32_t i = 0; i < g->ops.items[op].num_inputs; ++i)
    w->slots.items[rm_op_inputs(g, op)[i]].input = step;
  for (int32_t i = 0; i < group->count; ++i)
    w->places.items[rm_write_place(w, group->ops[i])].member = step;
}
