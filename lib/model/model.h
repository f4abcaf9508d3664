/* lib/model/model.h - what an op means and what it costs.
 *
 * Registered ops are first asked through their interfaces, then the table of
 * their dialect (one file each) adds what interfaces do not say; ops that are
 * not registered, StableHLO above all, are known from the table alone. */
#ifndef RM_MODEL_MODEL_H
#define RM_MODEL_MODEL_H

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct RmOpModel {
  bool known;        /* false: kept, never recomputed, named in a remark */
  bool pure;         /* may be recomputed, moved, dropped when dead */
  bool collective;   /* recomputed only if the user says so */
  bool is_constant;  /* never counted, never cloned */
  bool is_identity;  /* a fence, a checkpoint, a barrier: costs nothing */
  int view_of;       /* the operand its first result is a view of, or -1;
                        of a fence result i views operand i (is_identity) */
  bool is_init;      /* only shapes or starts another op's result: tensor.empty,
                        linalg.fill of a constant */
  int64_t cost;      /* in the target's unit, nanoseconds for the built-in */
  int64_t workspace; /* bytes while it runs (inner peak of regions) */
} RmOpModel;

/* Reads the attributes of the design's section 2 as well, which override.
 * `for_arena`: views as bufferization makes them, else those of fit=live. */
RmOpModel rm_model_of(MlirOperation op, bool for_arena);

/* Whether operand `i` of `op` matters only by its shape. */
bool rm_model_shape_only(MlirOperation op, int i);

/* Bytes in memory (i1 is one byte an element); -1 for a dynamic shape, 0 for
 * what holds no bytes (tokens). */
int64_t rm_type_bytes(MlirType type);

/* Time by the roofline of `remat.target`, or of the built-in target. */
typedef struct RmTarget {
  double flops_per_ns[4]; /* f64, f32, f16 and bf16, integers */
  double bytes_per_ns;
  int64_t launch_ns;
} RmTarget;
RmTarget rm_target_of(MlirOperation module);

#endif
