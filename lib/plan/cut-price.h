/* lib/plan/cut-price.h - the price of a byte that makes the best bound. */
#ifndef RM_PLAN_CUT_PRICE_H
#define RM_PLAN_CUT_PRICE_H

#include "plan/cut-network.h"

typedef struct RmCutPrice {
  bool feasible;       /* false: what must be held is more than the room */
  int64_t cost;        /* no choice that fits the room costs less, in units */
  bool fits;           /* the cut below is within the room */
  int64_t cost_of_fit; /* what it costs, in units */
  uint8_t *again;      /* by node: runs again in the cheapest cut seen that fits
                          the room */
  uint8_t *barely;     /* by node: in the dearest seen that does not */
} RmCutPrice;

/* For a network of one step. */
RmCutPrice rm_cut_price(RmCutNetwork *network, RmPool *pool);

/* The same into the arrays of `price`. */
void rm_cut_price_again(RmCutNetwork *network, RmCutPrice *price);

#endif
