/* lib/ir/fences.h - where a schedule needs fences and checkpoints.
 *
 * Decided on the graph alone, before anything is written. A maximal run of
 * recomputed steps is a region; it gets one fence, in front of it:
 *
 * - `from`: the values that the region reads and does not make. Values that an
 *   op computed stand there always. An argument, a constant or an init of its
 *   own stands there for a clone that cse would otherwise merge with an equal
 *   op, since nothing it reads comes out of a fence.
 * - `after`: the latest made value that the region's first reader needs and
 *   that exists before the region; if there is none, the latest made value that
 *   is still read later. Later steps read it from behind the fence.
 *
 * A region ends early before an op that it holds already, and before a clone
 * that only a fence of its own keeps apart. Equal ops of the input whose
 * operands a fence renamed look like clones to cse as well; the later one gets
 * a fence too.
 *
 * cse merges two ops that are of equal kind and read equal names. We number
 * names as it does: the results of a fence are new, those of any other op are
 * a hash of its kind and of what it reads. */
#ifndef RM_IR_FENCES_H
#define RM_IR_FENCES_H

#include "graph/graph.h"

typedef enum RmIdentity { RM_NO_IDENTITY, RM_CHECKPOINT, RM_FENCE } RmIdentity;

/* What cse knows of an op besides the graph. */
typedef struct RmOpShape {
  uint64_t kind;       /* equal for ops that differ in what they read only */
  RmIdentity identity; /* the op is a checkpoint or a fence of the input */
  bool has_own_input;  /* it reads a constant or an init of its own */
} RmOpShape;

typedef struct RmFrom {
  int32_t value;      /* or -1: the own input of the op of step `begin` */
  int32_t begin, end; /* the steps that read the result */
} RmFrom;

typedef struct RmFence {
  int32_t begin, end;   /* it stands before step `begin`; its region */
  int32_t first, count; /* its `from`, in RmFences.from */
  int32_t after;        /* a value, or -1 */
  bool renames;         /* all later steps read the results of `from` */
} RmFence;

typedef struct RmFences {
  RM_VEC(RmFence) items; /* by `begin` */
  RM_VEC(RmFrom) from;
  int32_t *first_instance; /* by step: of its first result, in `saved` */
  uint8_t *saved;          /* by instance: put a checkpoint on it */
} RmFences;

/* Leaves out recomputed steps whose results nobody reads. */
RmSchedule rm_schedule_without_dead(const RmGraph *graph,
                                    const RmSchedule *schedule, RmPool *pool);

/* `shapes` by op. Schedules as rm_schedule_without_dead makes them. */
RmFences rm_fences_place(const RmGraph *graph, const RmSchedule *schedule,
                         const RmOpShape *shapes, RmPool *pool);

#endif
