/* test/unit/memory-constraints-test.c - small problems with every constraint
 * against an exhaustive search of all offsets.
 *
 * `memory-constraints-test COUNT` tries COUNT random problems instead of
 * 10,000. The oracle shares nothing with the packers or the validator: it
 * looks at every tick and every byte. */

#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 6, TICKS = 10, BYTES = 96 };

static uint32_t num_problems = 10000;

typedef struct Small { /* a problem with its own arrays */
  RmMemoryProblem problem;
  RmBuffer buffers[MOST];
  int32_t banks[MOST];
  RmHole holes[2];
  RmByteRange reserved[2];
  RmBufferPair together[2], apart[2];
} Small;

static uint32_t draw(uint32_t *state, uint32_t bound) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) % bound;
}

/*===-- The oracle --------------------------------------------------------===*/

typedef struct Oracle {
  const RmMemoryProblem *problem;
  const bool *left_out; /* null: none is */
  int32_t set[MOST];    /* the least buffer it lies together with */
  int64_t at[MOST];     /* by set, -1: not placed */
  int32_t order[MOST], num_sets;
  int64_t best; /* the smallest end of a placement, or INT64_MAX */
} Oracle;

static bool is_there(const Oracle *o, int32_t i) {
  return !o->left_out || !o->left_out[i];
}

static bool is_alive(const RmMemoryProblem *m, int32_t i, int64_t tick) {
  for (int32_t k = 0; k < m->num_holes; ++k)
    if (m->holes[k].buffer == i && m->holes[k].lower <= tick &&
        tick < m->holes[k].upper)
      return false;
  return m->buffers[i].lower <= tick && tick < m->buffers[i].upper;
}

static bool may_not_share(const RmMemoryProblem *m, int32_t i, int32_t j) {
  for (int32_t k = 0; k < m->num_apart; ++k)
    if ((m->apart[k].a == i && m->apart[k].b == j) ||
        (m->apart[k].a == j && m->apart[k].b == i))
      return true;
  return false;
}

static bool collide(const Oracle *o, int32_t i, int32_t j) {
  const RmMemoryProblem *m = o->problem;
  int64_t a = o->at[o->set[i]], b = o->at[o->set[j]];
  int64_t a_end = a + m->buffers[i].size, b_end = b + m->buffers[j].size;
  if (a == a_end || b == b_end || a >= b_end || b >= a_end)
    return false;
  if (may_not_share(m, i, j))
    return true;
  for (int64_t t = 0; t < TICKS && o->set[i] != o->set[j]; ++t)
    if (is_alive(m, i, t) && is_alive(m, j, t))
      return true;
  return false;
}

static bool stands_well(const RmMemoryProblem *m, int32_t i, int64_t at) {
  const RmBuffer *b = &m->buffers[i];
  int64_t bank = m->bank_bytes, end = at + b->size;
  if ((b->alignment && at % b->alignment) || (b->fixed >= 0 && at != b->fixed))
    return false;
  for (int64_t byte = at; byte < end; ++byte)
    for (int32_t k = 0; k < m->num_reserved; ++k)
      if (m->reserved[k].begin <= byte && byte < m->reserved[k].end)
        return false;
  if (bank && b->size && at / bank != (end - 1) / bank)
    return false;
  return !m->banks || m->banks[i] < 0 ||
         (at >= m->banks[i] * bank && at < (m->banks[i] + 1) * bank &&
          end <= (m->banks[i] + 1) * bank);
}

/* Whether set `s` may be at its place, beside those that are placed. */
static bool is_right(const Oracle *o, int32_t s) {
  for (int32_t i = 0; i < o->problem->count; ++i) {
    if (o->set[i] != s || !is_there(o, i))
      continue;
    if (!stands_well(o->problem, i, o->at[s]))
      return false;
    for (int32_t j = 0; j < o->problem->count; ++j)
      if (j != i && is_there(o, j) && o->at[o->set[j]] >= 0 && collide(o, i, j))
        return false;
  }
  return true;
}

static int64_t end_of(const Oracle *o) {
  int64_t end = 0;
  for (int32_t i = 0; i < o->problem->count; ++i) {
    int64_t top = o->at[o->set[i]] + o->problem->buffers[i].size;
    if (is_there(o, i) && top > end)
      end = top;
  }
  return end;
}

/* Places the sets from the k-th on, all within less than the best end. */
static void search(Oracle *o, int32_t k) {
  if (k == o->num_sets) {
    int64_t end = end_of(o);
    o->best = end < o->best ? end : o->best;
    return;
  }
  int64_t *at = &o->at[o->order[k]];
  for (*at = 0; *at < o->best && *at < BYTES; ++*at)
    if (is_right(o, o->order[k]))
      search(o, k + 1);
  *at = -1;
}

/* Those that may not be anywhere first: if none of them is in the way of
 * another, all can be placed. */
static void order_sets(Oracle *o, bool bound) {
  const RmMemoryProblem *m = o->problem;
  for (int32_t s = 0; s < m->count; ++s) {
    bool exists = false, is_bound = false;
    for (int32_t i = 0; i < m->count; ++i) {
      bool is_of_it = o->set[i] == s && is_there(o, i);
      exists |= is_of_it;
      is_bound |= is_of_it &&
                  (m->buffers[i].fixed >= 0 || (m->banks && m->banks[i] >= 0));
    }
    if (exists && is_bound == bound)
      o->order[o->num_sets++] = s;
  }
}

static bool can_stand_alone(Oracle *o, int32_t s) {
  bool can = false;
  for (o->at[s] = 0; o->at[s] < BYTES && !can; ++o->at[s])
    can = is_right(o, s);
  o->at[s] = -1;
  return can;
}

/* The least arena, or INT64_MAX. Sets are as in the whole problem, so that
 * leaving out a buffer does not part others. */
static int64_t least_arena(const RmMemoryProblem *m, const bool *left_out) {
  Oracle o = {.problem = m, .left_out = left_out, .best = INT64_MAX};
  for (int32_t i = 0; i < m->count; ++i)
    o.set[i] = i, o.at[i] = -1;
  for (int32_t round = 0; round < MOST; ++round)
    for (int32_t k = 0; k < m->num_together; ++k) {
      int32_t *a = &o.set[m->together[k].a], *b = &o.set[m->together[k].b];
      *a = *b = *a < *b ? *a : *b;
    }
  order_sets(&o, true);
  order_sets(&o, false);
  for (int32_t k = 0; k < o.num_sets; ++k)
    if (!can_stand_alone(&o, o.order[k]))
      return INT64_MAX;
  search(&o, 0);
  int64_t step = m->arena_alignment ? m->arena_alignment : 1;
  return o.best == INT64_MAX ? o.best : (o.best + step - 1) / step * step;
}

/*===-- Random problems ---------------------------------------------------===*/

static void add_buffers(Small *s, uint32_t *state) {
  bool aligned = draw(state, 2);
  s->problem.count = 1 + (int32_t)draw(state, MOST - 1);
  for (int32_t i = 0; i < s->problem.count; ++i) {
    int64_t lower = draw(state, 6);
    int64_t alignment = aligned ? (int64_t)1 << draw(state, 3) : 1;
    int64_t size = draw(state, 12) ? 1 + draw(state, 6) : 0;
    s->buffers[i] =
        (RmBuffer){lower, lower + 1 + draw(state, 4), size, alignment, -1};
    s->banks[i] = draw(state, 3) ? -1 : (int32_t)draw(state, 2);
  }
  if (draw(state, 3) == 0)
    s->buffers[0].fixed = s->buffers[0].alignment * draw(state, 4);
  if (draw(state, 8) == 0)
    s->buffers[s->problem.count - 1].fixed = draw(state, 8);
}

static void add_holes(Small *s, uint32_t *state) {
  for (int32_t k = 0; k < 2; ++k) {
    int32_t i = (int32_t)draw(state, (uint32_t)s->problem.count);
    RmBuffer *b = &s->buffers[i];
    if (b->upper - b->lower < 3)
      continue;
    int64_t lower = b->lower + 1;
    int64_t most = b->upper - lower - 1;
    s->holes[s->problem.num_holes++] =
        (RmHole){i, lower, lower + 1 + draw(state, (uint32_t)most)};
  }
}

static int32_t add_pairs(RmBufferPair *pairs, int32_t count, uint32_t *state) {
  int32_t n = 0;
  for (uint32_t k = draw(state, 3); k && count > 1; --k) {
    int32_t a = (int32_t)draw(state, (uint32_t)count);
    int32_t b = (int32_t)draw(state, (uint32_t)count - 1);
    pairs[n++] = (RmBufferPair){a, b < a ? b : b + 1};
  }
  return n;
}

static void add_reserved(Small *s, uint32_t *state) {
  for (uint32_t k = draw(state, 3); k; --k) {
    int64_t begin = draw(state, 12);
    s->reserved[s->problem.num_reserved++] =
        (RmByteRange){begin, begin + 1 + draw(state, 5)};
  }
}

static void make_small(Small *s, uint32_t seed) {
  uint32_t state = seed * 2654435761u + 12345u;
  memset(s, 0, sizeof *s);
  RmMemoryProblem *m = &s->problem;
  add_buffers(s, &state);
  if (draw(&state, 2))
    add_holes(s, &state);
  if (draw(&state, 2))
    add_reserved(s, &state);
  if (draw(&state, 3) == 0)
    m->num_together = add_pairs(s->together, m->count, &state);
  if (draw(&state, 3) == 0)
    m->num_apart = add_pairs(s->apart, m->count, &state);
  if (draw(&state, 4) == 0)
    m->bank_bytes = 6 + draw(&state, 6);
  if (m->bank_bytes && draw(&state, 2))
    m->banks = s->banks;
  if (draw(&state, 3) == 0)
    m->arena_alignment = (int64_t)1 << draw(&state, 4);
  if (draw(&state, 3) == 0)
    m->capacity = 1 + draw(&state, 16);
  m->buffers = s->buffers, m->holes = s->holes, m->reserved = s->reserved;
  m->together = s->together, m->apart = s->apart;
}

/*===-- The tests ---------------------------------------------------------===*/

/* Without any one of them the others can be placed. */
static void assert_unfit(const Small *s, const RmPlacement *placement,
                         uint32_t seed) {
  const RmMemoryProblem *m = &s->problem;
  int64_t capacity = m->capacity ? m->capacity : INT64_MAX - 1;
  bool left_out[MOST];
  memset(left_out, true, sizeof left_out);
  for (int32_t k = 0; k < placement->num_unfit; ++k)
    left_out[placement->unfit[k]] = false;
  if (least_arena(m, left_out) <= capacity)
    fail_msg("seed %u: the set of unfit buffers can be placed", seed);
  for (int32_t k = 0; k < placement->num_unfit; ++k) {
    left_out[placement->unfit[k]] = true;
    if (least_arena(m, left_out) > capacity)
      fail_msg("seed %u: buffer %d need not be named", seed,
               placement->unfit[k]);
    left_out[placement->unfit[k]] = false;
  }
}

static void assert_best(const Small *s, uint32_t seed, int effort) {
  const RmMemoryProblem *m = &s->problem;
  RmPool *pool = rm_pool_create_or_abort();
  RmPlacement placement = rm_memory_place(m, effort, pool);
  int64_t least = least_arena(m, NULL);
  int64_t wanted = m->capacity && least <= m->capacity ? m->capacity : least;
  if (placement.arena > wanted && !(m->capacity && least > m->capacity))
    fail_msg("seed %u: arena %ld, possible are %ld", seed,
             (long)placement.arena, (long)least);
  if (placement.lower_bound > least)
    fail_msg("seed %u: bound %ld, possible are %ld", seed,
             (long)placement.lower_bound, (long)least);
  const char *wrong =
      placement.offsets ? rm_memory_check(m, &placement, pool) : NULL;
  if (wrong)
    fail_msg("seed %u: %s", seed, wrong);
  bool cannot = least == INT64_MAX || (m->capacity && least > m->capacity);
  assert_int_equal(cannot, placement.num_unfit > 0);
  assert_true(cannot || placement.offsets);
  if (cannot)
    assert_unfit(s, &placement, seed);
  rm_pool_destroy(pool);
}

static void all_constraints_agree_with_the_oracle(void **unused) {
  (void)unused;
  for (uint32_t seed = 0; seed < num_problems; ++seed) {
    Small small;
    make_small(&small, seed);
    assert_best(&small, seed, 1 + (int)(seed % 3));
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_constraints_agree_with_the_oracle),
  };
  if (argc > 1)
    num_problems = (uint32_t)strtoul(argv[1], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
