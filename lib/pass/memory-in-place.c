/* lib/pass/memory-in-place.c - elementwise results in place of an operand.
 *
 * An op that writes each element from the operand's element at the same index
 * may write it over that element, if nobody reads the operand afterwards and
 * nobody has touched the result before: the life of one ends where that of the
 * other begins. Both then form one set, with one place and one life; sets grow
 * along chains of such ops. A reshape of a whole buffer counts as the buffer:
 * it has the same elements in the same order.
 *
 * Invariant: two members of a set are alive together at one op at most, and
 * that op reads and writes equal indices only. */

#include "pass/memory-elementwise.h"
#include "pass/memory-layout.h"
#include "pass/memory-planner.h"

#include "pass/ops.h"
#include "shim/shim.h"

typedef struct Sharing {
  RmMemoryPlanner *p;
  RmMap numbers;                 /* of allocations, by value */
  bool *is_continued, *is_begun; /* by allocation, within its set */
} Sharing;

/*===-- Sets --------------------------------------------------------------===*/

static RmAllocation *allocation_of(Sharing *s, MlirValue value,
                                   int32_t *number) {
  for (MlirOperation op = rm_defining_op(value); rm_layout_is_reshape(op);
       op = rm_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  *number = (int32_t)rm_map_or(&s->numbers, rm_map_pointer(value.ptr), -1);
  return *number < 0 ? NULL : &s->p->lives.allocations.items[*number];
}

static int32_t first_of(Sharing *s, int32_t number) {
  while (s->p->shares[number] != number)
    number = s->p->shares[number];
  return number;
}

/* The end of one set and the begin of the other. A result that the caller lends
 * takes nothing in: it is up to memory-scratch.c to use it. */
static void join(Sharing *s, int32_t operand, int32_t result) {
  int32_t a = first_of(s, operand), b = first_of(s, result);
  s->is_continued[operand] = s->is_begun[result] = true;
  if (mlirOperationIsNull(s->p->lives.allocations.items[result].op)) {
    s->p->heirs[operand] = result;
    return;
  }
  s->p->shares[a > b ? a : b] = a > b ? b : a;
}

static bool may_take(Sharing *s, const RmLinalgStep *step, MlirAttribute maps,
                     MlirValue from, MlirValue to) {
  int32_t a, b;
  const RmAllocation *operand = allocation_of(s, from, &a);
  const RmAllocation *result = allocation_of(s, to, &b);
  return operand && result && a != b && !operand->left && !result->left &&
         !mlirOperationIsNull(operand->op) && !s->is_continued[a] &&
         !s->is_begun[b] && operand->upper == step->end + 1 &&
         result->lower == step->begin &&
         mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(to)) &&
         rm_elementwise_uses_in_place(&s->p->uses, step->op, maps, from) &&
         rm_elementwise_uses_in_place(&s->p->uses, step->op, maps, to);
}

static void share_output(Sharing *s, const RmLinalgStep *step,
                         MlirAttribute maps, int output) {
  intptr_t place = rm_op_init(step->op, output);
  MlirValue to = mlirOperationGetOperand(step->op, place);
  for (intptr_t i = 0; i < place && rm_elementwise_is_at_index(maps, place);
       ++i) {
    MlirValue from = mlirOperationGetOperand(step->op, i);
    int32_t operand, result;
    if (!rm_elementwise_is_at_index(maps, i) ||
        !may_take(s, step, maps, from, to))
      continue;
    allocation_of(s, from, &operand);
    allocation_of(s, to, &result);
    join(s, operand, result);
    return;
  }
}

static void share_step(Sharing *s, const RmLinalgStep *step) {
  MlirAttribute maps = rm_elementwise_maps(step->op);
  if (mlirAttributeIsNull(maps))
    return;
  for (int i = 0; i < rm_op_num_inits(step->op); ++i)
    share_output(s, step, maps, i);
}

/* First members stand before the others. */
static void settle(Sharing *s) {
  RmAllocation *all = s->p->lives.allocations.items;
  for (int32_t i = 0; i < (int32_t)s->p->lives.allocations.count; ++i) {
    int32_t first = s->p->shares[i] = first_of(s, i);
    if (s->p->heirs[i] >= 0)
      s->p->heirs[first] = s->p->heirs[i];
    if (all[i].lower < all[first].lower)
      all[first].lower = all[i].lower;
    if (all[i].upper > all[first].upper)
      all[first].upper = all[i].upper;
    if (all[i].alignment > all[first].alignment)
      all[first].alignment = all[i].alignment;
  }
}

void rm_memory_share_in_place(RmMemoryPlanner *p) {
  Sharing s = {.p = p, .numbers = rm_memory_numbers(&p->lives, p->pool)};
  size_t count = p->lives.allocations.count;
  s.is_continued = RM_NEW_ARRAY(p->pool, bool, count);
  s.is_begun = RM_NEW_ARRAY(p->pool, bool, count);
  for (size_t i = 0; i < p->lives.steps.count; ++i)
    share_step(&s, &p->lives.steps.items[i]);
  settle(&s);
}
