/* lib/model/model.h - what an op means and what it costs.
 *
 * Registered ops are first asked through their interfaces, then the table of
 * their dialect (one file each) adds what interfaces do not say; ops that are
 * not registered, StableHLO above all, are known from the table alone. The
 * attributes of the design's section 2 override both. */
#ifndef RM_MODEL_MODEL_H
#define RM_MODEL_MODEL_H

#include "support/map.h"

#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stdint.h>

/* The machine that times are predicted for. The module attribute
 *
 *   remat.target = {f64 = 20.0, f32 = 40.0, f16 = 20.0, int = 20.0,
 *                   bandwidth = 10.0, launch = 100}
 *
 * sets any of these (floats or integers, above 0; launch from 0); a missing key
 * is as in the built-in target, which these are: one core, in nanoseconds. */
typedef enum RmRate {
  RM_RATE_F64,
  RM_RATE_F32,
  RM_RATE_F16,
  RM_RATE_INT
} RmRate;
typedef struct RmTarget {
  double flops_per_ns[4]; /* by RmRate; f16 is bf16 and narrower floats too */
  double bytes_per_ns;
  int64_t launch_ns; /* of each op that is not free */
} RmTarget;

/* Reads the attribute of `module` or of the module around it. */
RmTarget rm_target_of(MlirOperation module);

/* What is asked of the models, once per function that is read. */
typedef struct RmModels {
  RmPool *pool;
  RmTarget target;
  bool for_arena;  /* views as bufferization makes them, scalars in registers;
                      else as fit=live counts */
  RmMap callees;   /* what functions cost inside, as far as they were called */
  RmMap functions; /* of the module, by a hash of their names */
  RmMap given;     /* what a file says, by a hash of an op's name */
} RmModels;
RmModels rm_models_create(MlirOperation scope, bool for_arena, RmPool *pool);

/* Adds what the JSON file at `path` says of ops, with the meaning that the
 * attributes of the same names have on one op (which override it):
 *
 *   {"foo.gelu": {"recomputable": true, "cost": 1200, "workspace": 4096,
 *                 "alias": [[0, 1]]}, ...}
 *
 * Null, or what is wrong, in the pool. */
const char *rm_models_load(RmModels *models, const char *path);

typedef struct RmOpModel {
  bool known;        /* false: kept, never recomputed, named in a remark */
  bool pure;         /* may be recomputed, moved, dropped when dead */
  bool collective;   /* recomputed only if the user says so; then pure */
  bool is_constant;  /* never counted, never cloned */
  bool is_identity;  /* a fence, a checkpoint, a barrier: costs nothing */
  bool is_init;      /* only shapes or starts another op's result: tensor.empty,
                        and for an arena linalg.fill of a constant */
  int64_t cost;      /* in the target's unit */
  int64_t workspace; /* bytes while it runs (inner peak of regions); -1 if a
                        shape inside is dynamic */
} RmOpModel;

RmOpModel rm_model_of(MlirOperation op, RmModels *models);

/* RmOpModel.known alone. */
bool rm_model_knows(MlirOperation op, const RmModels *models);

/* The operand whose storage result `i` of `op` shares, or -1. */
int rm_model_alias(MlirOperation op, int i, const RmModels *models);

/* Whether operand `i` of `op` matters only by its shape. */
bool rm_model_shape_only(MlirOperation op, int i);

/* Whether operand `i` of `op` is what a result starts from: an init in
 * destination style, the destination of an insert, the first value of a loop's
 * carry. */
bool rm_model_starts_result(MlirOperation op, int i);

/* Bytes in memory, a whole number for each element (i1 and i4 take one); -1 for
 * a dynamic shape, 0 for what holds no bytes (tokens), INT64_MAX for what does
 * not fit. */
int64_t rm_type_bytes(MlirType type);

/* The same as it counts for these models: scalars of an arena are free. */
int64_t rm_value_bytes(MlirValue value, const RmModels *models);

#endif
