/* lib/plan/knapsack.c - the most worth within a weight, in whole numbers.
 *
 * Nemhauser and Ullmann: the list of choices of which none is both heavier and
 * worth less than another, grown item by item. Equal items stay few choices,
 * and no weight is rounded. A list that grows too long is thinned; of very many
 * items all but some are taken or left by their worth for a byte. Then the
 * result still fits, but is the best of those looked at. */
#include "plan/knapsack.h"

#include "support/vec.h"

#include <stdlib.h>

typedef struct Choice {
  int64_t weight, worth;
  int32_t last; /* link of the item taken last, -1: none */
} Choice;

typedef struct Link {
  int32_t item, before;
} Link;

typedef RM_VEC(Choice) Choices;

typedef struct Knapsack {
  RmPool *pool;
  int64_t capacity;
  RM_VEC(Link) links;
  Choices now, next;
  size_t longest;
  bool exact;
} Knapsack;

enum { MOST_LINKS = 1000000, CORE = 256 };

/* Both lists are by weight; so one that is not worth more is no use. */
static void append(Knapsack *k, Choice choice) {
  if (!k->next.count || choice.worth > k->next.items[k->next.count - 1].worth)
    rm_vec_push(k->pool, &k->next, choice);
}

static void append_taken(Knapsack *k, Choice choice, int32_t item) {
  size_t before = k->next.count;
  Link link = {item, choice.last};
  choice.last = (int32_t)k->links.count;
  append(k, choice);
  if (k->next.count > before)
    rm_vec_push(k->pool, &k->links, link);
}

static Choice with_item(Choice choice, const RmItem *item) {
  choice.weight += item->weight;
  choice.worth += item->worth;
  return choice;
}

/* Merges the list with itself, the item taken. Of choices with equal weight
 * the one worth more goes first, then the one without the item. */
static void take_or_leave(Knapsack *k, const RmItem *item, int32_t number) {
  size_t left = 0, taken = 0, count = k->now.count;
  k->next.count = 0;
  while (left < count || taken < count) {
    Choice with = {0};
    if (taken < count) {
      with = with_item(k->now.items[taken], item);
      if (with.weight > k->capacity) {
        taken = count;
        continue;
      }
    }
    const Choice *without = left < count ? &k->now.items[left] : NULL;
    bool first =
        without &&
        (taken == count || without->weight < with.weight ||
         (without->weight == with.weight && without->worth >= with.worth));
    if (first)
      append(k, k->now.items[left++]);
    else
      append_taken(k, with, number), ++taken;
  }
  Choices old = k->now;
  k->now = k->next;
  k->next = old;
}

/* Every second one goes, the best stays. */
static void thin(Knapsack *k) {
  if (k->now.count <= k->longest)
    return;
  size_t kept = 0;
  for (size_t i = 0; i < k->now.count; ++i)
    if (i % 2 == 0 || i + 1 == k->now.count)
      k->now.items[kept++] = k->now.items[i];
  k->now.count = kept;
  k->exact = false;
}

/* Adds to `result` the best of the items with these numbers. */
static void solve(const RmItem *items, const int32_t *numbers, int32_t count,
                  int64_t capacity, RmKnapsack *result, RmPool *pool) {
  Knapsack k = {.pool = pool, .capacity = capacity, .exact = true};
  k.longest = (size_t)(MOST_LINKS / (count + 1));
  size_t choices = count < 12 ? (size_t)1 << count : 2 * k.longest;
  rm_vec_reserve(pool, &k.now, choices);
  rm_vec_reserve(pool, &k.next, choices);
  Choice none = {0, 0, -1};
  rm_vec_push(pool, &k.now, none);
  for (int32_t i = 0; i < count; ++i) {
    if (items[numbers[i]].weight > capacity)
      continue;
    take_or_leave(&k, &items[numbers[i]], numbers[i]);
    thin(&k);
  }
  Choice best = k.now.items[k.now.count - 1];
  for (int32_t link = best.last; link >= 0; link = k.links.items[link].before)
    result->taken[k.links.items[link].item] = true;
  result->weight += best.weight;
  result->worth += best.worth;
  result->exact &= k.exact;
}

typedef struct Ranked {
  double worth; /* of a byte */
  int32_t number;
} Ranked;

static int by_worth(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (x->worth != y->worth)
    return x->worth > y->worth ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int32_t *rank_items(const RmItem *items, int32_t count, RmPool *pool) {
  Ranked *ranked = RM_NEW_ARRAY(pool, Ranked, count);
  int32_t *numbers = RM_NEW_ARRAY(pool, int32_t, count);
  for (int32_t i = 0; i < count; ++i)
    ranked[i] =
        (Ranked){(double)items[i].worth / ((double)items[i].weight + 1e-9), i};
  qsort(ranked, (size_t)count, sizeof *ranked, by_worth);
  for (int32_t i = 0; i < count; ++i)
    numbers[i] = ranked[i].number;
  return numbers;
}

/* Takes what is worth most for its bytes while it fits, up to `end`; returns
 * the place of the first that does not fit. */
static int32_t take_first(const RmItem *items, const int32_t *numbers,
                          int32_t begin, int32_t end, bool skip,
                          int64_t capacity, RmKnapsack *result) {
  for (int32_t i = begin; i < end; ++i) {
    const RmItem *item = &items[numbers[i]];
    if (item->weight > capacity - result->weight) {
      if (skip)
        continue;
      return i;
    }
    result->taken[numbers[i]] = true;
    result->weight += item->weight;
    result->worth += item->worth;
  }
  return end;
}

static void solve_core(const RmItem *items, int32_t count, int64_t capacity,
                       RmKnapsack *result, RmPool *pool) {
  const int32_t *numbers = rank_items(items, count, pool);
  RmKnapsack trial = {.taken = RM_NEW_ARRAY(pool, bool, count)};
  int32_t full = take_first(items, numbers, 0, count, false, capacity, &trial);
  int32_t begin = full < CORE / 2 ? 0 : full - CORE / 2;
  int32_t end = begin + CORE < count ? begin + CORE : count;
  take_first(items, numbers, 0, begin, false, capacity, result);
  solve(items, numbers + begin, end - begin, capacity - result->weight, result,
        pool);
  take_first(items, numbers, end, count, true, capacity, result);
  result->exact = full == count;
}

RmKnapsack rm_knapsack(const RmItem *items, int32_t count, int64_t capacity,
                       RmPool *pool) {
  RmKnapsack result = {.taken = RM_NEW_ARRAY(pool, bool, count), .exact = true};
  if (capacity < 0 || count <= 0)
    return result;
  if (count > CORE) {
    solve_core(items, count, capacity, &result, pool);
    return result;
  }
  int32_t *numbers = RM_NEW_ARRAY(pool, int32_t, count);
  for (int32_t i = 0; i < count; ++i)
    numbers[i] = i;
  solve(items, numbers, count, capacity, &result, pool);
  return result;
}
