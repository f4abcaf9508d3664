/* test/unit/state-test.c - the incremental counts of a state equal a recount
 * after every change, and its schedules are valid. */
#include "random-graph.h"

#include "plan/moves.h"
#include "plan/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* An op, and the slot of some step before which it may run again; -1: none. */
static int32_t pick_insertion(const RmState *s, uint32_t *seed, int32_t *op) {
  *op = (int32_t)draw(seed, (uint32_t)s->count - 1);
  int32_t region =
      *op + 1 + (int32_t)draw(seed, (uint32_t)(s->count - *op - 1));
  if (!s->graph->ops.items[*op].recomputable ||
      rm_state_slot(s, *op, region) >= 0)
    return -1;
  int32_t slot = s->base[region];
  for (int32_t back = (int32_t)draw(seed, 4); back > 0; --back)
    if (s->op_at[slot - back] >= 0 && s->region_at[slot - back] == region)
      return slot - back;
  return slot;
}

static void change_at_random(RmState *s, uint32_t *seed) {
  if (s->reruns.count && draw(seed, 3) == 0) {
    RmStep r = s->reruns.items[draw(seed, (uint32_t)s->reruns.count)];
    rm_state_remove(s, rm_state_slot(s, r.op, r.region));
    return;
  }
  int32_t op, before = pick_insertion(s, seed, &op);
  if (before >= 0)
    rm_state_insert(s, op, before);
}

static void check_one(uint32_t seed) {
  RmPool *pool = rm_pool_create_or_abort();
  int ops = 2 + (int)draw(&seed, 14);
  RmGraph *g = random_graph(pool, &seed, ops, false);
  RmState *s = rm_state_create(g, 5 + draw(&seed, 30), pool);
  assert_true(rm_state_check(s, pool));
  for (int i = 0; i < 60; ++i) {
    change_at_random(s, &seed);
    if (draw(&seed, 4) == 0)
      rm_state_turn_to(s, 5 + draw(&seed, 30));
    assert_true(rm_state_check(s, pool));
    RmSchedule schedule = rm_state_schedule(s, pool);
    assert_null(rm_schedule_verify(g, &schedule, true, pool));
  }
  RmSchedule kept = rm_state_schedule(s, pool);
  RmMeasure before = rm_schedule_measure(g, &kept, pool);
  rm_state_load(s, &kept);
  kept = rm_state_schedule(s, pool);
  assert_int_equal(rm_schedule_measure(g, &kept, pool).peak, before.peak);
  rm_pool_destroy(pool);
}

static void counts_equal_a_recount(void **unused) {
  (void)unused;
  for (uint32_t seed = 1; seed <= 400; ++seed)
    check_one(seed * 2654435761u);
}

static void undo_restores_the_state(void **unused) {
  (void)unused;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    uint32_t random = seed;
    RmPool *pool = rm_pool_create_or_abort();
    RmGraph *g = random_graph(pool, &random, 12, false);
    RmState *s = rm_state_create(g, 12, pool);
    RmTrail trail = {.state = s, .price = 3};
    int64_t area = rm_state_area(s), cost = s->cost;
    for (int i = 0; i < 20; ++i) {
      int32_t op, before = pick_insertion(s, &random, &op);
      trail.trials = 8;
      if (before >= 0)
        rm_move_recompute(&trail, op, rm_state_step(s, before));
      assert_true(rm_state_check(s, pool));
    }
    rm_trail_undo(&trail, 0);
    assert_int_equal(rm_state_area(s), area);
    assert_int_equal(s->cost, cost);
    assert_int_equal(s->reruns.count, 0);
    rm_pool_destroy(pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_equal_a_recount),
      cmocka_unit_test(undo_restores_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
