/* lib/model/bufferization-ops.c - the border of tensors and memory. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"alloc_tensor", RM_KEPT, RM_WORK_NONE},
    {"clone", RM_KEPT, RM_WORK_NONE},
    {"dealloc", RM_KEPT, RM_WORK_NONE},
    {"dealloc_tensor", RM_KEPT, RM_WORK_NONE},
    {"materialize_in_destination", RM_KEPT | RM_VIEW_LIVE, RM_WORK_NONE},
    {"to_buffer", RM_KEPT | RM_VIEW_ARENA, RM_WORK_FREE},
    {"to_tensor", RM_KEPT | RM_VIEW_ARENA, RM_WORK_FREE},
};

RM_OP_TABLE(bufferization);
