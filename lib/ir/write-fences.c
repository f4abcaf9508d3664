/* lib/ir/write-fences.c - makes the fences that rm_fences_place asks for.
 *
 * The result of a fence is lent to the steps that read it: they find it as the
 * name of the value's slot, and the value's own name is back after them. */
#include "ir/build.h"
#include "ir/op-key.h"
#include "ir/writer.h"

#include "mlir-c/BuiltinTypes.h"

#include <assert.h>

static uint64_t hash_operands(MlirOperation fence) {
  uint64_t hash = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(fence); ++i)
    hash =
        rm_key_mix(hash, rm_map_pointer(mlirOperationGetOperand(fence, i).ptr));
  return hash;
}

/* The value, from behind all fences so far that it was led through. */
static MlirValue newest_of(const RmWriter *w, MlirValue value) {
  int64_t next;
  while (rm_map_get(&w->fenced_as, rm_map_pointer(value.ptr), &next))
    value.ptr = (const void *)(intptr_t)next;
  return value;
}

void rm_write_keep_fence_apart(RmWriter *w, MlirOperation fence) {
  if (!mlirOperationGetNumOperands(fence))
    return;
  if (rm_map_or(&w->operand_lists, hash_operands(fence), 0))
    mlirOperationSetOperand(fence, 0,
                            newest_of(w, mlirOperationGetOperand(fence, 0)));
  uint64_t hash = hash_operands(fence);
  assert(!rm_map_or(&w->operand_lists, hash, 0) && "equal fences");
  rm_map_set(&w->operand_lists, hash, 1);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(fence); ++i)
    rm_map_set(&w->fenced_as,
               rm_map_pointer(mlirOperationGetOperand(fence, i).ptr),
               (int64_t)(intptr_t)mlirOperationGetResult(fence, i).ptr);
}

static bool is_constant_slot(const RmWriter *w, int32_t slot) {
  int32_t place = slot < 0 ? -1 : w->slots.items[slot].place;
  return place >= 0 && !w->places.items[place].grouped;
}

typedef struct ConstantSearch {
  const RmWriter *w;
  bool tensors_only;
  MlirValue found;
} ConstantSearch;

static MlirWalkResult find_constant(MlirOperation op, void *context) {
  ConstantSearch *search = context;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_constant_slot(search->w, rm_write_slot(search->w, value)) ||
        (search->tensors_only && !mlirTypeIsATensor(mlirValueGetType(value))))
      continue;
    search->found = value;
    return MlirWalkResultInterrupt;
  }
  return MlirWalkResultAdvance;
}

static bool fence_constant(RmWriter *w, const RmGroup *group, bool tensors_only,
                           RmFenced *fenced) {
  ConstantSearch search = {.w = w, .tensors_only = tensors_only};
  for (int32_t i = 0; i < group->count && mlirValueIsNull(search.found); ++i)
    mlirOperationWalk(group->ops[i], find_constant, &search, MlirWalkPreOrder);
  if (mlirValueIsNull(search.found))
    return false;
  fenced->slot = rm_write_slot(w, search.found);
  fenced->operand = rm_write_name(w, search.found);
  return true;
}

static bool fence_init(RmWriter *w, const RmGroup *group, RmFenced *fenced) {
  for (int32_t i = 0; i + 1 < group->count; ++i) {
    if (!rm_op_is_named(group->ops[i], "tensor.empty"))
      continue;
    MlirOperation clone = mlirOperationClone(group->ops[i]);
    mlirOperationSetLocation(
        clone, rm_location_again(mlirOperationGetLocation(clone)));
    rm_write_insert(w, clone);
    fenced->replaced = group->ops[i];
    fenced->slot = rm_write_slot(w, mlirOperationGetResult(group->ops[i], 0));
    fenced->operand = mlirOperationGetResult(clone, 0);
    return true;
  }
  return false;
}

/* An empty tensor for the operand that only shapes the result. */
static void fence_shape(RmWriter *w, int32_t step, const RmGroup *group,
                        RmFenced *fenced) {
  int32_t current = w->step;
  w->step = step;
  rm_write_enter_group(w, step);
  for (int32_t i = 0; i < group->count; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(group->ops[i]); ++k) {
      MlirValue value = mlirOperationGetOperand(group->ops[i], k);
      if (!mlirValueIsNull(fenced->operand) || !rm_write_only_shapes(w, value))
        continue;
      MlirOperation empty = rm_build_empty(
          mlirValueGetType(value), mlirOperationGetLocation(group->ops[i]));
      rm_write_insert(w, empty);
      fenced->operand = mlirOperationGetResult(empty, 0);
    }
  w->step = current;
}

/* What a clone reads that no other op computed: see RmFrom. */
static RmFenced fence_own_input(RmWriter *w, int32_t step) {
  const RmGroup *group = &w->ir->groups[w->schedule.steps[step]];
  RmFenced fenced = {.slot = -1};
  if (!fence_constant(w, group, true, &fenced) &&
      !fence_init(w, group, &fenced))
    fence_shape(w, step, group, &fenced);
  if (mlirValueIsNull(fenced.operand))
    fence_constant(w, group, false, &fenced);
  assert(!mlirValueIsNull(fenced.operand) && "nothing to fence");
  return fenced;
}

static void write_fence(RmWriter *w, const RmFence *fence) {
  RM_VEC(MlirValue) operands = {0};
  for (int32_t i = fence->first; i < fence->first + fence->count; ++i) {
    const RmFrom *from = &w->fences.from.items[i];
    w->fenced[i] = from->value < 0
                       ? fence_own_input(w, from->begin)
                       : (RmFenced){.operand = w->slots.items[from->value].name,
                                    .slot = from->value};
    rm_vec_push(w->pool, &operands, w->fenced[i].operand);
  }
  if (fence->after >= 0)
    rm_vec_push(w->pool, &operands, w->slots.items[fence->after].name);
  const RmGroup *first = &w->ir->groups[w->schedule.steps[fence->begin]];
  MlirOperation op = rm_build_recompute(
      operands.items, fence->count, fence->after >= 0,
      rm_location_again(mlirOperationGetLocation(first->ops[first->count - 1])),
      w->pool);
  rm_write_insert(w, op);
  rm_write_keep_fence_apart(w, op);
  for (int32_t i = 0; i < fence->count; ++i)
    w->fenced[fence->first + i].result = mlirOperationGetResult(op, i);
  if (fence->after >= 0)
    rm_write_set_name(w, fence->after,
                      mlirOperationGetResult(op, fence->count));
  ++w->done.fences;
}

/* Lends the names of the fence that stands last to those who read them from
 * this step on. */
static void open_fence(RmWriter *w, const RmFence *fence) {
  size_t end = (size_t)(fence->first + fence->count);
  for (; w->next_from < end; ++w->next_from) {
    const RmFrom *from = &w->fences.from.items[w->next_from];
    const RmFenced *fenced = &w->fenced[w->next_from];
    if (from->begin > w->step)
      return;
    if (!mlirOperationIsNull(fenced->replaced))
      w->replaced = fenced->replaced;
    if (fenced->slot < 0)
      w->replacement = fenced->result;
    else if (fence->renames && from->end == INT32_MAX)
      rm_write_set_name(w, fenced->slot, fenced->result);
    else
      rm_write_lend(w, fenced->slot, fenced->result,
                    from->end == INT32_MAX ? &w->region : &w->single);
  }
}

void rm_write_meet_fences(RmWriter *w) {
  RmFence *fences = w->fences.items.items;
  if (w->next_fence && fences[w->next_fence - 1].end == w->step)
    rm_write_restore(w, &w->region);
  if (w->next_fence < w->fences.items.count &&
      fences[w->next_fence].begin == w->step)
    write_fence(w, &fences[w->next_fence++]);
  if (w->next_fence)
    open_fence(w, &fences[w->next_fence - 1]);
}
