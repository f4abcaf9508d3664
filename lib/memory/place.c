/* lib/memory/place.c - offsets for buffers: bound, portfolio, improvement.
 *
 * The lower bound comes first; every stage ends the moment it is met, for then
 * the placement is proven best. What fits together exactly is put together, and
 * if that leaves few buffers they are placed first. A portfolio of first-fit
 * and best-fit orders gives a good placement of any number of buffers, which
 * the exact search and then hill climbing improve, by amounts of work that
 * depend on `effort` only, so that equal inputs give equal answers on every
 * machine.
 *
 * Invariant: the best placement found so far is a valid one. */

#include "memory/packing.h"

#include "support/require.h"

#include <string.h>

/* By effort: numbers that the exact search may look at, and placements of items
 * by the improvement. */
static const struct Amount {
  int64_t search, search_each, placements;
} amounts[] = {
    {2000000, 0, 0},
    {300000000, 50000, 300000},
    {3000000000, 500000, 3000000},
    {30000000000, 5000000, 30000000},
};

/* Items of which the exact search looks at all pairs where lives are not plain.
 */
enum { MOST_PAIRED = 3000 };

/* For each item. */
enum { LEAST_LOOKS = 1000 };

int64_t rm_packing_arena(const RmPacking *p, int64_t top) {
  int64_t alignment = p->problem->arena_alignment;
  return alignment && top != RM_NOWHERE ? rm_align_up(top, alignment) : top;
}

bool rm_packing_is_open(const RmPacking *p, int64_t top) {
  int64_t capacity = p->problem->capacity;
  int64_t least = rm_packing_arena(p, p->lower_bound);
  if (p->is_impossible || (capacity && least > capacity))
    return false;
  int64_t arena = top == RM_NOWHERE ? top : rm_packing_arena(p, top);
  return arena > capacity && arena > least;
}

/* Even where it is known to be too large an arena has to be found. */
static bool wants_more(const RmPacking *p, const RmBestPlacement *best) {
  return best->arena == RM_NOWHERE || rm_packing_is_open(p, best->arena);
}

static RmBestPlacement nothing_yet(const RmPacking *p) {
  return (RmBestPlacement){RM_NEW_ARRAY(p->pool, int64_t, p->count),
                           RM_NOWHERE};
}

/* Gives up where the arena would reach `limit`. */
static void try_rule(const RmPacking *p, RmFit *fit, int32_t rule,
                     int64_t limit, RmBestPlacement *best) {
  RmBestPlacement other = nothing_yet(p);
  int32_t *order = RM_NEW_ARRAY(p->pool, int32_t, p->count);
  int32_t count = rm_packing_order(p, rule, order);
  bool best_fit = rm_packing_rule_is_best_fit(rule);
  other.arena = rm_fit_run(fit, order, count, best_fit, limit, other.offsets);
  if (other.arena < best->arena)
    *best = other;
}

/* Orders, then exact search that looks at `work` numbers, if that is enough to
 * come far. */
static void try_all(RmPacking *p, RmFit *fit, int effort, int64_t work,
                    RmBestPlacement *best) {
  int32_t rules = rm_packing_num_rules(effort, p->count);
  for (int32_t r = 0; r < rules && wants_more(p, best); ++r)
    try_rule(p, fit, r, best->arena, best);
  if (rm_packing_is_open(p, best->arena) && work >= LEAST_LOOKS * p->count &&
      (p->is_plain || p->count <= MOST_PAIRED))
    rm_canonical_search(p, work, best);
}

static int64_t search_work(const RmPacking *p, int effort) {
  return amounts[effort].search + amounts[effort].search_each * p->count;
}

/* What fits together exactly is one item: worth a try if few are left, which is
 * said. */
static bool try_blocks(const RmPacking *p, int style, int effort,
                       RmBestPlacement *best) {
  RmPool *pool = rm_pool_branch(p->pool);
  RmBlocks *blocks = rm_blocks_assemble(p, style, pool);
  RmMemoryProblem problem = rm_blocks_problem(blocks);
  bool are_few = problem.count <= p->count / 2;
  if (are_few) {
    RmPacking *smaller = rm_packing_create(&problem, pool);
    RmBestPlacement found = nothing_yet(smaller);
    try_all(smaller, rm_fit_create(smaller), effort,
            search_work(smaller, effort) / 2, &found);
    if (found.arena < best->arena)
      best->arena = rm_blocks_spread(blocks, found.offsets, best->offsets);
  }
  rm_pool_destroy(pool);
  return are_few;
}

/* An order comes first, as it meets the bound of most simple sets. */
static RmBestPlacement improve(RmPacking *p, int effort) {
  RmBestPlacement best = nothing_yet(p);
  RmFit *fit = rm_fit_create(p);
  try_rule(p, fit, 0, p->lower_bound + 1, &best);
  bool are_few = p->is_plain && !p->problem->bank_bytes;
  for (int k = 0; are_few && k < RM_NUM_BLOCK_STYLES; ++k)
    are_few = wants_more(p, &best) && try_blocks(p, k, effort, &best);
  if (wants_more(p, &best))
    try_all(p, fit, effort, search_work(p, effort), &best);
  if (rm_packing_is_open(p, best.arena))
    rm_squeaky_wheel(p, fit, amounts[effort].placements, &best);
  return best;
}

static RmPlacement nothing_found(const RmPacking *p) {
  return (RmPlacement){NULL, RM_NOWHERE,
                       p->is_impossible ? RM_NOWHERE
                                        : rm_packing_arena(p, p->lower_bound),
                       NULL, 0};
}

/* Buffers without bytes count where they must be. */
static RmPlacement spread(const RmPacking *p, const RmBestPlacement *best) {
  int32_t count = p->problem->count;
  RmPlacement placement = {RM_NEW_ARRAY(p->pool, int64_t, count), best->arena,
                           p->lower_bound, NULL, 0};
  for (int32_t i = 0; i < count; ++i) {
    placement.offsets[i] =
        p->item[i] < 0 ? p->empty[i] : best->offsets[p->item[i]];
    if (p->item[i] >= 0)
      continue;
    if (p->empty[i] > placement.arena)
      placement.arena = p->empty[i];
    if (p->empty[i] > placement.lower_bound)
      placement.lower_bound = p->empty[i];
  }
  placement.arena = rm_packing_arena(p, placement.arena);
  placement.lower_bound = rm_packing_arena(p, placement.lower_bound);
  return placement;
}

RmPlacement rm_memory_solve(const RmMemoryProblem *problem, int effort,
                            RmPool *pool) {
  RmPacking *p = rm_packing_create(problem, pool);
  RmBestPlacement best = {.arena = p->is_impossible ? RM_NOWHERE : 0};
  if (!p->is_impossible && p->count)
    best = improve(p, effort);
  return best.arena == RM_NOWHERE ? nothing_found(p) : spread(p, &best);
}

RmPlacement rm_memory_place_by_rule(const RmMemoryProblem *problem,
                                    const char *rule, RmPool *pool) {
  int32_t found = rm_packing_find_rule(rule);
  rm_require(found >= 0, "a rule of rm_memory_rules");
  RmPacking *p = rm_packing_create(problem, pool);
  RmBestPlacement best = {.arena = p->is_impossible ? RM_NOWHERE : 0};
  if (!p->is_impossible && p->count) {
    best = nothing_yet(p);
    try_rule(p, rm_fit_create(p), found, RM_NOWHERE, &best);
  }
  return best.arena == RM_NOWHERE ? nothing_found(p) : spread(p, &best);
}

RmPlacement rm_memory_place(const RmMemoryProblem *problem, int effort,
                            RmPool *pool) {
  rm_require(effort >= 0 && effort <= 3, "an effort of 0 to 3");
  RmPlacement placement = rm_memory_solve(problem, effort, pool);
  if (rm_placement_cannot_fit(problem, &placement))
    rm_memory_find_unfit(problem, effort, &placement, pool);
  return placement;
}
