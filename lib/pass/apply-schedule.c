/* lib/pass/apply-schedule.c - runs a schedule that was written by hand.
 *
 * A debugging aid, and how the rewriting of functions is tested without a
 * planner: `steps` are numbers of ops in the order in which to run them, as
 * remat-print-graph numbers them, with `first..last` for a sequence.
 *
 * needs:  nothing
 * keeps:  what the function computes
 * breaks: the order of its ops */
#include "ir/ir.h"
#include "pass/passes.h"

#include <stdlib.h>

/* Reads "7" or "3..7"; false if it is neither. */
static bool read_range(const char *text, long *first, long *last) {
  char *end;
  *first = *last = strtol(text, &end, 10);
  if (end == text)
    return false;
  if (end[0] == '.' && end[1] == '.') {
    text = end + 2;
    *last = strtol(text, &end, 10);
    if (end == text)
      return false;
  }
  return !*end && *first >= 0 && *last <= INT32_MAX;
}

static bool read_steps(RmPassRun *run, MlirLocation where, RmPool *pool,
                       RmSchedule *schedule) {
  RmIntVec steps = {0};
  for (int i = 0; i < rm_option_count(run, "steps"); ++i) {
    const char *text = rm_option_item(run, "steps", i);
    long first, last;
    if (!read_range(text, &first, &last)) {
      rm_emit(RM_ERROR, where,
              "option 'steps': '%s' is neither an op's number nor first..last",
              text);
      return false;
    }
    for (long op = first; op <= last; ++op)
      rm_vec_push(pool, &steps, (int32_t)op);
  }
  *schedule = (RmSchedule){.steps = steps.items, .count = (int32_t)steps.count};
  return true;
}

static bool apply(MlirOperation function, RmPassRun *run, RmPool *pool) {
  MlirLocation where = mlirOperationGetLocation(function);
  RmIrOptions options = {.fit = rm_option_choice(run, "fit") ? RM_FIT_ARENA
                                                             : RM_FIT_LIVE,
                         .models = ""};
  RmSchedule schedule;
  RmIr *ir = rm_ir_read(function, &options, pool);
  if (!ir || !read_steps(run, where, pool, &schedule))
    return false;
  const char *wrong = rm_schedule_verify(ir->graph, &schedule, false, pool);
  if (wrong) {
    rm_emit(RM_ERROR, where, "option 'steps': %s", wrong);
    return false;
  }
  RmRewrite rewrite = rm_ir_write(ir, &schedule);
  rm_statistic_add(run, "clones", rewrite.clones);
  rm_statistic_add(run, "fences", rewrite.fences);
  rm_statistic_add(run, "checkpoints", rewrite.checkpoints);
  return true;
}

bool rm_pass_apply_schedule(MlirOperation function, RmPassRun *run) {
  RmPool *pool = rm_pool_create_or_abort();
  bool applied = apply(function, run, pool);
  rm_pool_destroy(pool);
  return applied;
}
