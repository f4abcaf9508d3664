/* lib/pass/plan-memory.c - every buffer into one arena, at a fixed place.
 *
 * In each function the allocations of static size and identity layout, at any
 * depth, become views of one allocation of bytes for each memory space, or of
 * several where `max-allocation` limits them. Their offsets come from their
 * lives (memory-lives.c, memory-offsets.c) and are checked by brute force before
 * the IR is touched (write-arenas.c). With `arena=argument` the caller lends the
 * bytes, and callers in the module do in any case (memory-calls.c). Buffers may
 * share a place while both are alive (memory-in-place.c) or lie in results
 * (memory-scratch.c).
 *
 * Deallocs of what is planned are erased; the arena is freed where the function
 * returns. What is not planned stays, and one remark says why.
 *
 * needs:  bufferized functions
 * keeps:  every value in memory while it is needed
 * breaks: nothing; a second run finds nothing to do but the arena itself */

#include "pass/memory-planner.h"

#include "pass/ops.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <inttypes.h>

typedef RmMemoryPlanner Planner;
typedef RmArena Arena;

const char *rm_memory_name(Planner *p, MlirOperation function) {
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(function, rm_str("sym_name")));
  return rm_pool_printf(p->pool, "%.*s", (int)name.length, name.data);
}

/*===-- Planning ----------------------------------------------------------===*/

static Arena *arena_of_space(Planner *p, Arena *arenas, int32_t *count,
                             MlirAttribute space) {
  for (int32_t i = 0; i < *count; ++i)
    if (mlirAttributeEqual(arenas[i].space, space))
      return &arenas[i];
  arenas[*count] = (Arena){.space = space, .alignment = p->alignment};
  return &arenas[(*count)++];
}

static bool is_borrowed(const Planner *p, int32_t first) {
  return p->borrowed_from && p->borrowed_from[first] >= 0;
}

/* `arenas` has room for one of each allocation. */
static int32_t sort_into_arenas(Planner *p, Arena *arenas) {
  int32_t count = 0;
  for (size_t i = 0; i < p->lives.allocations.count; ++i) {
    RmAllocation *a = &p->lives.allocations.items[i];
    if (a->left || mlirOperationIsNull(a->op) || p->shares[i] != (int32_t)i ||
        is_borrowed(p, (int32_t)i))
      continue;
    Arena *arena = arena_of_space(p, arenas, &count, a->space);
    if (a->alignment < p->alignment)
      a->alignment = p->alignment;
    if (a->alignment > arena->alignment)
      arena->alignment = a->alignment;
    rm_vec_push(p->pool, &arena->members, (int32_t)i);
  }
  return count;
}

static void count_arena(Planner *p, const Arena *arena) {
  rm_statistic_add(p->run, "arena-bytes", arena->bytes);
  rm_statistic_add(p->run, "bound-bytes", arena->placement.lower_bound);
}

static void count_buffers(Planner *p) {
  for (size_t i = 0; i < p->lives.allocations.count; ++i) {
    const RmAllocation *a = &p->lives.allocations.items[i];
    if (a->left || mlirOperationIsNull(a->op))
      continue;
    p->changed = true;
    rm_statistic_add(p->run, "planned", 1);
    rm_statistic_add(p->run, "buffer-bytes", a->bytes);
    if (is_borrowed(p, p->shares[i]))
      rm_statistic_add(p->run, "in-results", 1);
    else if (p->shares[i] != (int32_t)i)
      rm_statistic_add(p->run, "in-place", 1);
  }
}

static void erase_frees(Planner *p) {
  for (size_t i = 0; i < p->lives.frees.count; ++i)
    mlirOperationDestroy(p->lives.frees.items[i]);
  rm_statistic_add(p->run, "deallocs", (int64_t)p->lives.frees.count);
}

static void tell_what_is_left(Planner *p) {
  enum { MOST = 20 };
  RmDiagnostic *remark = NULL;
  int64_t left = 0, all = 0;
  for (size_t i = 0; i < p->lives.allocations.count; ++i) {
    const RmAllocation *a = &p->lives.allocations.items[i];
    all += !mlirOperationIsNull(a->op);
    left += !mlirOperationIsNull(a->op) && a->left;
  }
  rm_statistic_add(p->run, "left", left);
  for (size_t i = 0, told = 0; i < p->lives.allocations.count; ++i) {
    const RmAllocation *a = &p->lives.allocations.items[i];
    if (!a->left || mlirOperationIsNull(a->op) || told++ == MOST)
      continue;
    if (!remark)
      remark = rm_diagnostic_begin(
          RM_REMARK, mlirOperationGetLocation(p->function),
          rm_pool_printf(p->pool,
                         "remat-plan-memory: %" PRId64 " of %" PRId64
                         " buffers of @%s "
                         "stay allocated",
                         left, all, rm_memory_name(p, p->function)));
    rm_diagnostic_note(remark, mlirOperationGetLocation(a->op),
                       rm_pool_printf(p->pool, "this one: %s", a->left));
  }
  if (remark)
    rm_diagnostic_end(remark);
}

/* Copies of a buffer onto itself. */
static MlirWalkResult erase_self_copy(MlirOperation op, void *user) {
  Planner *p = user;
  if (!rm_op_is(op, "memref.copy") ||
      !mlirValueEqual(mlirOperationGetOperand(op, 0),
                      mlirOperationGetOperand(op, 1)))
    return MlirWalkResultAdvance;
  mlirOperationDestroy(op);
  rm_statistic_add(p->run, "copies", 1);
  p->changed = true;
  return MlirWalkResultAdvance;
}

/*===-- Layouts -----------------------------------------------------------===*/

/* All arenas of a function, and which buffers have their bytes. */
typedef struct Layout {
  RmMemoryLives lives;
  int32_t *shares, *borrowed_from;
  int64_t *borrowed_at;
  Arena *arenas;
  RmMemoryProblem *problems;
  int32_t count;
  int64_t bytes, bound;
  bool fits; /* every buffer into an allocation */
} Layout;

static void use(Planner *p, const Layout *layout) {
  p->lives = layout->lives;
  p->shares = layout->shares;
  p->borrowed_from = layout->borrowed_from;
  p->borrowed_at = layout->borrowed_at;
}

static void decide_who_shares(Planner *p, bool in_place) {
  p->lives =
      rm_memory_lives(p->function, p->functions, p->scratch, &p->uses, p->pool);
  int32_t count = (int32_t)p->lives.allocations.count;
  p->shares = RM_NEW_ARRAY(p->pool, int32_t, count);
  p->heirs = RM_NEW_ARRAY(p->pool, int32_t, count);
  p->borrowed_from = NULL;
  for (int32_t i = 0; i < count; ++i)
    p->shares[i] = i, p->heirs[i] = -1;
  if (in_place)
    rm_memory_share_in_place(p);
  if (p->scratch)
    rm_memory_borrow_results(p);
}

static Layout arrange(Planner *p, bool in_place) {
  decide_who_shares(p, in_place);
  size_t most = p->lives.allocations.count + 1;
  Layout layout = {.lives = p->lives,
                   .shares = p->shares,
                   .borrowed_from = p->borrowed_from,
                   .borrowed_at = p->borrowed_at,
                   .arenas = RM_NEW_ARRAY(p->pool, Arena, most),
                   .problems = RM_NEW_ARRAY(p->pool, RmMemoryProblem, most),
                   .fits = true};
  layout.count = sort_into_arenas(p, layout.arenas);
  for (int32_t k = 0; k < layout.count && layout.fits; ++k) {
    Arena *arena = &layout.arenas[k];
    layout.problems[k] = rm_memory_problem(p, arena);
    layout.fits = rm_memory_fits_allocations(p, arena);
    if (!layout.fits)
      break;
    arena->placement = rm_memory_place(&layout.problems[k], p->effort, p->pool);
    layout.bytes += arena->placement.arena;
    layout.bound += arena->placement.lower_bound;
  }
  return layout;
}

/* To share a place leaves less freedom to the packer and to those who borrow:
 * if that did harm, nobody shares. */
static Layout arrange_best(Planner *p) {
  Layout best = arrange(p, p->in_place);
  bool is_best = best.bytes == best.bound && !p->scratch;
  if (!p->in_place || !best.fits || is_best)
    return best;
  Layout plain = arrange(p, false);
  if (plain.bytes < best.bytes)
    return plain;
  use(p, &best);
  return best;
}

static bool plan_function(Planner *p) {
  rm_memory_say_plainly(p);
  rm_memory_read_scalars(p);
  rm_memory_join_branches(p);
  mlirOperationWalk(p->function, erase_self_copy, p, MlirWalkPostOrder);
  if (p->forwards)
    rm_memory_forward_copies(p);
  Layout layout = arrange_best(p);
  if (!layout.fits)
    return false;
  for (int32_t k = 0; k < layout.count; ++k)
    if (!rm_memory_place_arena(p, &layout.arenas[k], &layout.problems[k], k))
      return false;
  if (!rm_memory_write_lives(p, layout.arenas, layout.count))
    return false;
  tell_what_is_left(p);
  erase_frees(p);
  count_buffers(p);
  rm_memory_write_arenas(p, layout.arenas, layout.count);
  for (int32_t k = 0; k < layout.count && !p->called; ++k)
    count_arena(p, &layout.arenas[k]);
  return true;
}

/*===-- The pass ----------------------------------------------------------===*/

/* Another function that the module refers to must keep its type. */
static bool may_lend(Planner *p) {
  if (p->called)
    return false;
  if (!rm_is_referred_to(&p->referred, p->function))
    return true;
  rm_emit(RM_REMARK, mlirOperationGetLocation(p->function),
          "remat-plan-memory: @%s is called in this module, so it allocates "
          "its arena itself",
          rm_memory_name(p, p->function));
  return false;
}

/* What is cut to `max-allocation` might not fit the callers' parts. */
static bool plan_functions(Planner *p, bool lent) {
  for (size_t k = 0; k < p->calls->functions.count; ++k) {
    RmMemoryFunction *function = p->calls->order[k];
    p->function = function->op;
    p->pool = rm_pool_create_or_abort();
    p->called =
        function->is_only_called && !p->max_allocation ? function : NULL;
    p->lent = lent && may_lend(p);
    bool planned = plan_function(p);
    rm_pool_destroy(p->pool);
    if (!planned)
      return false;
  }
  return true;
}

static bool options_are_right(Planner *p) {
  MlirLocation loc = mlirOperationGetLocation(p->module);
  if (p->alignment < 1 || (p->alignment & (p->alignment - 1)) ||
      p->alignment > RM_MOST_ALIGNMENT)
    rm_emit(RM_ERROR, loc,
            "remat-plan-memory: alignment is %" PRId64
            ", it must be a power of two, 1GiB at most",
            p->alignment);
  else if (p->effort < 0 || p->effort > 3)
    rm_emit(RM_ERROR, loc, "remat-plan-memory: effort is %d, it must be 0 to 3",
            p->effort);
  else
    return true;
  return false;
}

static bool read_reserved(Planner *p, RmPool *pool) {
  const char *error, *text = rm_option_string(p->run, "reserved");
  MlirLocation loc = mlirOperationGetLocation(p->module);
  if (!rm_byte_ranges_from_text(text, &p->reserved, &p->num_reserved, pool,
                                &error))
    rm_emit(RM_ERROR, loc, "remat-plan-memory: reserved: %s", error);
  else if (p->num_reserved && p->max_allocation)
    rm_emit(RM_ERROR, loc,
            "remat-plan-memory: reserved bytes need one allocation, without "
            "max-allocation");
  else
    return true;
  return false;
}

bool rm_pass_plan_memory(MlirOperation module, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  Planner p = {.run = run,
               .context = mlirOperationGetContext(module),
               .module = module,
               .uses = rm_memory_uses_create(pool),
               .alignment = rm_option_size(run, "alignment"),
               .max_allocation = rm_option_size(run, "max-allocation"),
               .capacity = rm_option_size(run, "capacity"),
               .forwards = rm_option_bool(run, "forward"),
               .in_place = rm_option_bool(run, "in-place"),
               .scratch = rm_option_choice(run, "scratch") == 1,
               .effort = (int)rm_option_int(run, "effort")};
  bool lent = rm_option_choice(run, "arena") == 1;
  bool done = options_are_right(&p) && read_reserved(&p, pool) &&
              rm_memory_read_placement(&p, pool);
  if (done) {
    p.functions = mlirSymbolTableCreate(module);
    p.calls = rm_memory_calls(module, p.functions, pool);
    if (lent)
      p.referred = rm_references(module, pool);
    done = plan_functions(&p, lent);
    if (p.fills_splats)
      rm_memory_erase_constants(&p, pool);
    mlirSymbolTableDestroy(p.functions);
  }
  if (!p.changed)
    rm_pass_unchanged(run);
  rm_pool_destroy(pool);
  return done;
}
