/* lib/model/util-ops.c - the one op of IREE that we write. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"optimization_barrier", RM_IDENTITY, RM_WORK_FREE},
};

RM_OP_TABLE(util);
