/* lib/model/func-ops.c - calls: kept, and as costly and as large as what
 * they run. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"call", RM_KEPT | RM_CALLS, RM_WORK_BRANCH},
    {"call_indirect", RM_KEPT, RM_WORK_NONE},
    {"constant", RM_PURE | RM_CONSTANT, RM_WORK_FREE},
    {"return", RM_PURE, RM_WORK_FREE},
};

RM_OP_TABLE(func);
