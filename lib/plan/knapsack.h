/* lib/plan/knapsack.h - the most worth within a weight. */
#ifndef RM_PLAN_KNAPSACK_H
#define RM_PLAN_KNAPSACK_H

#include "support/pool.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmItem {
  int64_t weight, worth; /* not negative */
} RmItem;

typedef struct RmKnapsack {
  int64_t weight, worth; /* of what is taken */
  bool *taken;           /* by item */
  bool exact;            /* no choice is worth more */
} RmKnapsack;

/* Never above the capacity. Of equal choices the lighter one, then the one
 * without the later items. */
RmKnapsack rm_knapsack(const RmItem *items, int32_t count, int64_t capacity,
                       RmPool *pool);

#endif
