/* lib/model/scf-ops.c - loops and branches: as costly and as large as what is
 * in them, pure if all of it is. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"condition", RM_PURE, RM_WORK_FREE},
    {"execute_region", RM_PURE, RM_WORK_BRANCH},
    {"for", RM_PURE | RM_CARRIES, RM_WORK_LOOP},
    {"forall", RM_PURE, RM_WORK_LOOP},
    {"forall.in_parallel", RM_PURE, RM_WORK_FREE},
    {"if", RM_PURE, RM_WORK_BRANCH},
    {"index_switch", RM_PURE, RM_WORK_BRANCH},
    {"parallel", RM_PURE, RM_WORK_LOOP},
    {"reduce", RM_PURE, RM_WORK_FREE},
    {"reduce.return", RM_PURE, RM_WORK_FREE},
    {"while", RM_PURE | RM_CARRIES, RM_WORK_LOOP},
    {"yield", RM_PURE, RM_WORK_FREE},
};

RM_OP_TABLE(scf);
