/* lib/pass/memory-copies.c - what is only copied elsewhere is computed there.
 *
 * If the last use of a buffer is to be copied, and nobody touches where it is
 * copied to from its first use on until then, the buffer can be that place from
 * the start: it becomes a view of the destination, and the copy is gone. The
 * destination may be a part of a larger buffer, which then lives from earlier
 * on; that must not raise the peak. A few ops that touch the destination on the
 * way may run before: a fill, a copy, who reads what it held. One may stay: the
 * op that makes the buffer, if it does so element by element. Copies are taken
 * from first to last, so that the earlier parts of a destination are there, and
 * no copy of them stands between, when it is a later one's turn.
 *
 * What a loop or branch carries out of itself is found so as well, and so are
 * the parts of a concatenation, of a padded tensor, and of a stack that a loop
 * writes slice by slice.
 *
 * In the body of the function, which the planner of recomputation sees, only
 * buffers that nobody else reads are taken: it counts on that.
 *
 * Invariant: `lives` is right after each step, for what was not yet taken. */

#include "pass/memory-elementwise.h"
#include "pass/memory-layout.h"
#include "pass/memory-moves.h"
#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_MOVES = 4 };

typedef struct Copy {
  MlirOperation op;
  int64_t position;
  int32_t from, to;                /* allocations */
  MlirOperation moves[MOST_MOVES]; /* ops that must be run before */
  int num_moves;
} Copy;

typedef struct Copies {
  RmMemoryPlanner *p;
  RmMemoryLives lives;
  RmMap numbers; /* of allocations, by value */
  RmBytesAlive alive;
  RmMemoryMoves moves;
} Copies;

static RmAllocation *at(Copies *c, int32_t i) {
  return &c->lives.allocations.items[i];
}

static MlirBlock block_of(const Copy *copy) {
  return mlirOperationGetBlock(copy->op);
}

static bool is_in_body(Copies *c, const Copy *copy) {
  return mlirOperationEqual(mlirOperationGetParentOperation(copy->op),
                            c->p->function);
}

/*===-- What is copied where ----------------------------------------------===*/

static int32_t number_of(Copies *c, MlirValue value) {
  return (int32_t)rm_map_or(&c->numbers, rm_map_pointer(value.ptr), -1);
}

/* The allocation of which `value` is all, in whatever shape; -1 if none. */
static int32_t whole_allocation(Copies *c, MlirValue value) {
  for (MlirOperation op = rm_defining_op(value);
       !mlirOperationIsNull(op) && rm_layout_is_reshape(op);
       op = rm_defining_op(value))
    value = mlirOperationGetOperand(op, 0);
  return number_of(c, value);
}

/* The type of the buffer as a view of the destination; null if it has none. */
static MlirType type_at_destination(const Copy *copy) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(copy->op, 1));
  MlirOperation op = rm_defining_op(mlirOperationGetOperand(copy->op, 0));
  for (; !mlirTypeIsNull(type) && rm_layout_is_reshape(op);
       op = rm_defining_op(mlirOperationGetOperand(op, 0)))
    type = rm_layout_before(op, type);
  return type;
}

/*===-- Who touches what --------------------------------------------------===*/

static bool is_write_only(Copies *c, MlirOperation op, MlirValue buffer) {
  if (rm_op_is(op, "memref.store"))
    return true;
  intptr_t first = rm_op_is(op, "memref.copy") ? 1 : 0;
  if (rm_op_name_begins(op, "linalg."))
    first = rm_op_init(op, 0);
  else if (!first)
    return false;
  for (intptr_t i = 0; i < first; ++i)
    if (mlirValueEqual(
            rm_memory_base(&c->p->uses, mlirOperationGetOperand(op, i)),
            buffer))
      return false;
  return true;
}

/* Whether the copy is all that reads the buffer, but ops that write to it. */
static bool is_only_reader(Copies *c, const Copy *copy) {
  const RmAllocation *from = at(c, copy->from);
  for (int32_t t = from->last_touch; t >= 0;
       t = c->lives.touches.items[t].previous)
    if (!mlirOperationIsNull(c->lives.touches.items[t].op) &&
        !mlirOperationEqual(c->lives.touches.items[t].op, copy->op) &&
        !is_write_only(c, c->lives.touches.items[t].op, from->value))
      return false;
  return true;
}

/* Whether `op` touches of the destination only what is apart from where the
 * buffer is copied to. */
static bool stays_apart(Copies *c, MlirOperation op, const Copy *copy) {
  MlirValue base = at(c, copy->to)->value;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (rm_type_is_memref(mlirValueGetType(operand)) &&
        mlirValueEqual(rm_memory_base(&c->p->uses, operand), base) &&
        !rm_layout_are_apart(operand, mlirOperationGetOperand(copy->op, 1),
                             base))
      return false;
  }
  return true;
}

/* Whether `op` makes the buffer, all of which is copied, from what stood at the
 * same indices of the destination. Then it may write it over that. */
static bool makes_in_place(Copies *c, const Copy *copy, MlirOperation op) {
  MlirValue buffer = at(c, copy->from)->value;
  MlirValue there = mlirOperationGetOperand(copy->op, 1);
  MlirAttribute maps = rm_elementwise_maps(op);
  bool is_made = false;
  if (mlirAttributeIsNull(maps) ||
      !mlirValueEqual(mlirOperationGetOperand(copy->op, 0), buffer) ||
      !rm_elementwise_uses_in_place(&c->p->uses, op, maps, buffer) ||
      !rm_elementwise_uses_in_place(&c->p->uses, op, maps, there))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    is_made |= mlirValueEqual(mlirOperationGetOperand(op, i), buffer);
  return is_made;
}

/* In the body of the function an op moves up only if that moves the begin of no
 * other life than the destination's. */
static bool may_move_up(Copies *c, const Copy *copy, MlirOperation op) {
  return !is_in_body(c, copy) || rm_op_is(op, "linalg.fill") ||
         (rm_op_is(op, "memref.copy") &&
          mlirValueEqual(
              rm_memory_base(&c->p->uses, mlirOperationGetOperand(op, 1)),
              at(c, copy->to)->value));
}

/* Whether nobody touches the destination while the buffer is used, but for a
 * few ops that can move up. */
static bool is_left_alone(Copies *c, Copy *copy) {
  const RmAllocation *from = at(c, copy->from), *to = at(c, copy->to);
  for (int32_t i = to->last_touch; i >= 0;
       i = c->lives.touches.items[i].previous) {
    const RmTouch *touch = &c->lives.touches.items[i];
    if (touch->end < from->lower || touch->begin >= copy->position ||
        stays_apart(c, touch->op, copy) ||
        (touch->begin == from->lower && makes_in_place(c, copy, touch->op)))
      continue;
    if (copy->num_moves == MOST_MOVES || !may_move_up(c, copy, touch->op))
      return false;
    copy->moves[copy->num_moves++] = touch->op;
  }
  return true;
}

/*===-- Bytes -------------------------------------------------------------===*/

static void add_alive(Copies *c, int64_t lower, int64_t upper, int64_t bytes) {
  for (int64_t t = lower; t < upper; ++t)
    c->alive.at[t] += bytes;
}

/* Whether the peak stays if the destination lives as long as the buffer. */
static bool keeps_peak(Copies *c, const Copy *copy) {
  const RmAllocation *from = at(c, copy->from), *to = at(c, copy->to);
  if (mlirOperationIsNull(to->op) || to->bytes <= from->bytes)
    return true;
  for (int64_t t = from->lower; t < copy->position && t < to->lower; ++t)
    if (c->alive.at[t] - from->bytes + to->bytes > c->alive.peak)
      return false;
  return true;
}

/*===-- Order -------------------------------------------------------------===*/

/* The first op of the copy's block that uses the buffer. */
static MlirOperation first_user(Copies *c, const Copy *copy) {
  MlirOperation first = copy->op;
  for (MlirOpOperand use = mlirValueGetFirstUse(at(c, copy->from)->value);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user =
        rm_ancestor_in(mlirOpOperandGetOwner(use), block_of(copy));
    if (!mlirOperationIsNull(user) && mlirOperationIsBeforeInBlock(user, first))
      first = user;
  }
  return first;
}

/*===-- Taking a copy -----------------------------------------------------===*/

static bool is_candidate(Copies *c, const Copy *copy) {
  if (copy->from < 0 || copy->to < 0 || copy->from == copy->to)
    return false;
  const RmAllocation *from = at(c, copy->from), *to = at(c, copy->to);
  return from->is_followed && to->is_followed &&
         !mlirOperationIsNull(from->op) && from->bytes >= 0 && to->bytes >= 0 &&
         mlirAttributeEqual(from->space, to->space) &&
         from->upper == copy->position + 1 &&
         mlirBlockEqual(mlirOperationGetBlock(from->op), block_of(copy));
}

static bool has_a_place(Copies *c, const Copy *copy) {
  MlirType type = type_at_destination(copy);
  return !mlirTypeIsNull(type) && rm_layout_ends_dense(type) &&
         rm_layout_suits_users(at(c, copy->from)->value, type);
}

/* In program order. */
static void sort_moves(Copy *copy) {
  for (int i = 1; i < copy->num_moves; ++i)
    for (int k = i; k > 0 && mlirOperationIsBeforeInBlock(copy->moves[k],
                                                          copy->moves[k - 1]);
         --k) {
      MlirOperation swapped = copy->moves[k];
      copy->moves[k] = copy->moves[k - 1];
      copy->moves[k - 1] = swapped;
    }
}

static bool can_begin_at(Copies *c, Copy *copy, MlirOperation place) {
  if (!rm_moves_can_make(&c->moves, mlirOperationGetOperand(copy->op, 1),
                         place))
    return false;
  for (int i = 0; i < copy->num_moves; ++i)
    if (!mlirBlockEqual(mlirOperationGetBlock(copy->moves[i]), block_of(copy)))
      return false;
  sort_moves(copy);
  for (int i = 0; i < copy->num_moves; ++i)
    if (!rm_moves_can_run(&c->moves, copy->moves[i], place, copy->moves, i))
      return false;
  return true;
}

static bool may_take(Copies *c, Copy *copy) {
  return is_candidate(c, copy) &&
         (!is_in_body(c, copy) || is_only_reader(c, copy)) &&
         is_left_alone(c, copy) && keeps_peak(c, copy) && has_a_place(c, copy);
}

/* `op` now runs at some time before `end`: as far as later copies go, at any.
 */
static void note_move(Copies *c, MlirOperation op, int64_t end) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    int32_t number = number_of(
        c, rm_memory_base(&c->p->uses, mlirOperationGetOperand(op, i)));
    if (number < 0)
      continue;
    RmAllocation *a = at(c, number);
    for (int32_t k = a->last_touch; k >= 0;
         k = c->lives.touches.items[k].previous)
      if (mlirOperationEqual(c->lives.touches.items[k].op, op))
        c->lives.touches.items[k].begin = 0,
        c->lives.touches.items[k].end = end;
    if (end < a->lower && !a->left && !mlirOperationIsNull(a->op))
      add_alive(c, end, a->lower, a->bytes);
    a->lower = end < a->lower ? end : a->lower;
  }
}

static void append_touches(Copies *c, RmAllocation *from, RmAllocation *to) {
  int32_t first = from->last_touch;
  while (c->lives.touches.items[first].previous >= 0)
    first = c->lives.touches.items[first].previous;
  c->lives.touches.items[first].previous = to->last_touch;
  to->last_touch = from->last_touch;
}

/* The touches of the buffer become touches of the destination; that of the copy
 * itself is none. */
static void join(Copies *c, const Copy *copy) {
  RmAllocation *from = at(c, copy->from), *to = at(c, copy->to);
  if (!from->left)
    add_alive(c, from->lower, from->upper, -from->bytes);
  if (!to->left && !mlirOperationIsNull(to->op))
    add_alive(c, from->lower, to->lower, to->bytes);
  to->lower = from->lower < to->lower ? from->lower : to->lower;
  for (int i = 0; i < copy->num_moves; ++i)
    note_move(c, copy->moves[i], from->lower);
  append_touches(c, from, to);
  for (int32_t i = to->last_touch; i >= 0;
       i = c->lives.touches.items[i].previous)
    if (mlirOperationEqual(c->lives.touches.items[i].op, copy->op))
      c->lives.touches.items[i] =
          (RmTouch){{NULL}, INT64_MAX, -1, c->lives.touches.items[i].previous};
}

static void erase_frees(MlirValue buffer) {
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer);
       !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    if (rm_op_is(mlirOpOperandGetOwner(use), "memref.dealloc"))
      mlirOperationDestroy(mlirOpOperandGetOwner(use));
  }
}

/* Reshapes that only the copy read. */
static void erase_unused(MlirOperation op) {
  while (rm_layout_is_reshape(op) && mlirOpOperandIsNull(mlirValueGetFirstUse(
                                         mlirOperationGetResult(op, 0)))) {
    MlirOperation source = rm_defining_op(mlirOperationGetOperand(op, 0));
    mlirOperationDestroy(op);
    op = source;
  }
}

static void take(Copies *c, const Copy *copy, MlirOperation place) {
  MlirValue buffer = at(c, copy->from)->value;
  MlirValue there = mlirOperationGetOperand(copy->op, 1);
  for (int i = 0; i < copy->num_moves; ++i)
    rm_moves_run(copy->moves[i], place);
  rm_moves_make(there, place);
  MlirOperation seen_as = rm_defining_op(mlirOperationGetOperand(copy->op, 0));
  for (MlirOperation op = seen_as; rm_layout_is_reshape(op);
       op = rm_defining_op(mlirOperationGetOperand(op, 0)))
    there = rm_layout_insert_before(place, op, there);
  join(c, copy);
  mlirOperationDestroy(copy->op);
  erase_unused(seen_as);
  erase_frees(buffer);
  rm_layout_replace(buffer, there);
  mlirOperationDestroy(at(c, copy->from)->op);
  at(c, copy->from)->is_followed = false;
  rm_statistic_add(c->p->run, "copies", 1);
  c->p->changed = true;
}

/*===-- All copies --------------------------------------------------------===*/

/* The copies of whole allocations, as their touches tell. */
static void try_copy(Copies *c, MlirOperation op, int64_t position) {
  MlirValue there = rm_memory_base(&c->p->uses, mlirOperationGetOperand(op, 1));
  Copy copy = {.op = op,
               .position = position,
               .from = whole_allocation(c, mlirOperationGetOperand(op, 0)),
               .to = number_of(c, there)};
  if (!may_take(c, &copy))
    return;
  MlirOperation place = first_user(c, &copy);
  if (can_begin_at(c, &copy, place))
    take(c, &copy, place);
}

typedef RM_VEC(RmTouch) TouchVec;

/* In program order. */
static TouchVec find_copies(Copies *c) {
  TouchVec copies = {0};
  for (size_t i = 0; i < c->lives.touches.count; ++i) {
    const RmTouch *touch = &c->lives.touches.items[i];
    bool is_first =
        !copies.count || copies.items[copies.count - 1].begin < touch->begin;
    if (is_first && rm_op_is(touch->op, "memref.copy"))
      rm_vec_push(c->p->pool, &copies, *touch);
  }
  return copies;
}

void rm_memory_forward_copies(RmMemoryPlanner *p) {
  Copies c = {.p = p};
  c.moves = (RmMemoryMoves){&p->uses, &c.numbers};
  c.lives = rm_memory_lives(p->function, p->functions, true, &p->uses, p->pool);
  c.numbers = rm_memory_numbers(&c.lives, p->pool);
  TouchVec copies = find_copies(&c);
  if (copies.count)
    c.alive = rm_memory_alive(&c.lives, NULL, p->pool);
  for (size_t i = 0; i < copies.count; ++i)
    try_copy(&c, copies.items[i].op, copies.items[i].begin);
}
