/* lib/model/remat-ops.c - our own ops: identities that stay where they are. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"checkpoint", RM_IDENTITY, RM_WORK_FREE},
    {"recompute", RM_IDENTITY, RM_WORK_FREE},
};

RM_OP_TABLE(remat);
