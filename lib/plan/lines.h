/* lib/plan/lines.h - which of many growing numbers is the greatest now.
 *
 * Each number grows evenly from 0 at a time of its own: slope * (now - since).
 * `now` never goes back. */
#ifndef RM_PLAN_LINES_H
#define RM_PLAN_LINES_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmLine {
  double slope; /* negative: there is none */
  int64_t since;
} RmLine;

typedef struct RmLines {
  int32_t leaves; /* a power of two */
  RmLine *lines;  /* by number */
  int32_t *best;  /* by node, 1 is the root: the number of the greatest */
  int64_t *until; /* by node: when that must be looked at again */
} RmLines;

RmLines rm_lines_create(int32_t count, RmPool *pool);

/* Sets, changes or (with a negative slope) takes out line `number`. */
void rm_lines_set(RmLines *lines, int32_t number, RmLine line, int64_t now);

/* The lowest number of equals; -1 if there is no line. */
int32_t rm_lines_greatest(RmLines *lines, int64_t now);

#endif
