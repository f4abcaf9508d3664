/* lib/ir/scan.h - what a block holds, before it becomes a graph.
 *
 * Ops are known by their place in the block. Each has a role that settles where
 * it goes in the graph; groups are made of roles (see ir/ir.h). */
#ifndef RM_IR_SCAN_H
#define RM_IR_SCAN_H

#include "model/model.h"
#include "support/map.h"
#include "support/vec.h"

#include "mlir-c/IR.h"

typedef enum RmRole {
  RM_ROLE_ROOT,     /* a graph op of its own, with what its group holds */
  RM_ROLE_INIT,     /* only in the groups of those that start from it */
  RM_ROLE_MEMBER,   /* in the group of `owner` */
  RM_ROLE_CONSTANT, /* in no group */
  RM_ROLE_END       /* the terminator */
} RmRole;

typedef struct RmScanned {
  MlirOperation op;
  RmOpModel model;
  RmRole role;
  int32_t owner;                 /* place of the root, of a member */
  int32_t first_read, num_reads; /* into RmScan.reads */
} RmScanned;

typedef struct RmScan {
  RmPool *pool;
  RmModels models;
  MlirBlock block;
  RM_VEC(RmScanned) ops;
  RM_VEC(MlirValue) reads; /* values of the block, also from inside regions */
  RmMap places;            /* MlirOperation.ptr to place */
  RmMap last_read;         /* MlirValue.ptr to place */
  int32_t *group;          /* by place: root of the latest group it was in */
} RmScan;

/* Reads the block and settles all roles. */
RmScan *rm_scan_create(MlirBlock block, RmModels models, RmPool *pool);

/* The places of the ops of the group of `root`, in block order, `root` last. */
RmIntVec rm_scan_group(RmScan *scan, int32_t root);

/* Whether an op of the group made last, that of `root`, makes `value`. */
bool rm_scan_is_inside(const RmScan *scan, MlirValue value, int32_t root);

/* The place of the op of the block that makes `value`, or -1. */
int32_t rm_scan_maker(const RmScan *scan, MlirValue value);

#endif
