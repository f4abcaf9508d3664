/* lib/plan/chain.h - a training step as a chain of stages, and its best plan.
 *
 * Stage k runs forward from one value, its input, to one value, its output,
 * which is the input of stage k + 1. Its backward reads its tape (values that
 * the stage makes, perhaps the output) and perhaps its input. Backwards run
 * from the last stage to the first. All else (gradients, values that may not
 * be made again or are read elsewhere) is held from its making to its last
 * read, whatever is planned. */
#ifndef RM_PLAN_CHAIN_H
#define RM_PLAN_CHAIN_H

#include "plan/strategy.h"

/* What a run of a stage is for. */
enum { RM_FOR_OUTPUT, RM_FOR_TAPE_AND_OUTPUT, RM_FOR_TAPE, RM_NUM_RUNS };

typedef struct RmStageRun {
  int64_t cost, first_cost; /* of a run again; of the first run, all ops */
  /* Bytes at its fullest step, the input among them: by whether the input is
   * held to the end. The first run's with what is held anyway. */
  int64_t peak[2], first_peak[2];
} RmStageRun;

typedef struct RmStage {
  int32_t first, end; /* forward ops */
  int32_t output;     /* value, -1 if none */
  int64_t output_bytes, tape_bytes;
  bool has_tape;     /* its backward reads what it makes */
  bool tapes_output; /* among this the output */
  bool reads_input;  /* its backward reads its input */
  int64_t back[2];   /* bytes at the fullest step of its backward, with tape
                        and input, by whether the input is held to the end */
  int64_t held;      /* bytes held anyway when its backward begins */
  RmStageRun runs[RM_NUM_RUNS];
} RmStage;

typedef struct RmChain {
  const RmGraph *graph;
  RmPool *pool;
  RmStage *stages;
  int32_t count, border; /* stages; the first op of the backward */
  int32_t *stage_of;     /* by op; of the backward too */
  uint8_t *free;         /* by value: the plan decides when it is held */
  uint8_t *taped;        /* by value: its own stage's backward reads it */
  int32_t *last;         /* by value: op of the last read, at least its own */
} RmChain;

/* Any graph is a chain, if of few stages. */
RmChain rm_chain_find(const RmGraph *graph, int32_t border, int32_t most_stages,
                      RmPool *pool);

/* The ops of stage `k` that must run again for `purpose`, ascending. */
RmIntVec rm_chain_replay(const RmChain *chain, int32_t k, int purpose);

/* Whether all stages between the first and the last are alike. */
bool rm_chain_is_uniform(const RmChain *chain);

/* The cheapest plan found within `budget`; if there is none, the one with the
 * least bytes up to `most`; null steps if there is none either. Bytes are
 * counted in units, rounded up, exact if `work` allows it. At least two stages.
 */
RmSchedule rm_chain_plan(const RmChain *chain, int64_t budget, int64_t most,
                         int64_t work, RmPool *pool);

#endif
