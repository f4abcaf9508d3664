/* lib/plan/epochs.h - what whole decisions cost between steps, by a solver. */
#ifndef RM_PLAN_EPOCHS_H
#define RM_PLAN_EPOCHS_H

#include "graph/graph.h"

#include <stdbool.h>

typedef struct RmEpochs {
  int64_t enough;    /* extra cost beyond which no bound is asked for */
  int64_t size;      /* of the programme at most (rm_mip_size): larger ones are
                        not solved */
  int64_t known;     /* extra cost of which it is known, at least */
  int32_t nodes;     /* of the solver's tree at most, in a question */
  int32_t questions; /* at most: where the whole is too hard, half may not be */
  int64_t nodes_times_size; /* at most, for a large programme's nodes */
  bool short_rows; /* with a variable for all that is held: for many ops */
} RmEpochs;

/* No plan within the budget whose first runs follow program order costs less
 * than this beyond each op once. `steps` ascend; 0 without a solver, -1 where
 * the programme is too large. */
int64_t rm_epochs_bound(const RmGraph *graph, int64_t budget,
                        const int32_t *steps, int32_t count,
                        const RmEpochs *limits, RmPool *pool);

#endif
