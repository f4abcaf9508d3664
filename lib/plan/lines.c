/* lib/plan/lines.c - which of many growing numbers is the greatest now.
 *
 * A kinetic tournament (Basch, Guibas and Hershberger 1997): a tree over the
 * numbers whose nodes know the greatest of theirs and the first time at which
 * that may be another. Only what has run out is played again. */
#include "plan/lines.h"

#define NEVER INT64_MAX

static double value_at(const RmLine *line, int64_t now) {
  return line->slope * (double)(now - line->since);
}

/* When `slow`, the greater now, is passed. */
static int64_t meeting(const RmLine *slow, const RmLine *fast, int64_t now) {
  if (fast->slope < 0 || fast->slope <= slow->slope)
    return NEVER;
  double ahead = value_at(slow, now) - value_at(fast, now);
  double left = ahead / (fast->slope - slow->slope);
  if (left >= 4e18)
    return NEVER;
  int64_t time = now + (int64_t)left;
  return time > now ? time : now + 1;
}

static void play(RmLines *l, int32_t node, int64_t now) {
  int32_t left = 2 * node, right = left + 1;
  const RmLine *a = &l->lines[l->best[left]], *b = &l->lines[l->best[right]];
  bool takes_left =
      b->slope < 0 || (a->slope >= 0 && value_at(a, now) >= value_at(b, now));
  int64_t until = takes_left ? meeting(a, b, now) : meeting(b, a, now);
  until = l->until[left] < until ? l->until[left] : until;
  until = l->until[right] < until ? l->until[right] : until;
  l->best[node] = l->best[takes_left ? left : right];
  l->until[node] = until;
}

RmLines rm_lines_create(int32_t count, RmPool *pool) {
  RmLines l = {.leaves = 1};
  while (l.leaves < count)
    l.leaves *= 2;
  l.lines = RM_NEW_ARRAY(pool, RmLine, l.leaves);
  l.best = RM_NEW_ARRAY(pool, int32_t, 2 * (size_t)l.leaves);
  l.until = RM_NEW_ARRAY(pool, int64_t, 2 * (size_t)l.leaves);
  for (int32_t i = 0; i < l.leaves; ++i) {
    l.lines[i].slope = -1;
    l.best[l.leaves + i] = i;
    l.until[l.leaves + i] = NEVER;
  }
  for (int32_t node = l.leaves - 1; node > 0; --node)
    play(&l, node, 0);
  return l;
}

void rm_lines_set(RmLines *l, int32_t number, RmLine line, int64_t now) {
  l->lines[number] = line;
  for (int32_t node = (l->leaves + number) / 2; node; node /= 2)
    play(l, node, now);
}

static void refresh(RmLines *l, int32_t node, int64_t now) {
  if (l->until[node] > now || node >= l->leaves)
    return;
  refresh(l, 2 * node, now);
  refresh(l, 2 * node + 1, now);
  play(l, node, now);
}

int32_t rm_lines_greatest(RmLines *l, int64_t now) {
  refresh(l, 1, now);
  return l->lines[l->best[1]].slope < 0 ? -1 : l->best[1];
}
