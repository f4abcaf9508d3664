/* lib/model/memref-ops.c - memory: kept where it stands, for order matters. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"alloc", RM_KEPT, RM_WORK_NONE},
    {"alloca", RM_KEPT, RM_WORK_NONE},
    {"assume_alignment", RM_KEPT, RM_WORK_NONE},
    {"atomic_rmw", RM_KEPT, RM_WORK_NONE},
    {"cast", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"collapse_shape", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"copy", RM_KEPT, RM_WORK_NONE},
    {"dealloc", RM_KEPT, RM_WORK_NONE},
    {"dim", RM_PURE, RM_WORK_FREE, 0, RM_MOVES_ALL, 1},
    {"distinct_objects", RM_KEPT, RM_WORK_NONE},
    {"dma_start", RM_KEPT, RM_WORK_NONE},
    {"dma_wait", RM_KEPT, RM_WORK_NONE},
    {"expand_shape", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"generic_atomic_rmw", RM_KEPT, RM_WORK_NONE},
    {"get_global", RM_PURE | RM_CONSTANT, RM_WORK_FREE},
    {"global", RM_KEPT, RM_WORK_NONE},
    {"load", RM_KEPT, RM_WORK_NONE},
    {"memory_space_cast", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"prefetch", RM_KEPT, RM_WORK_NONE},
    {"rank", RM_PURE, RM_WORK_FREE, 0, RM_MOVES_ALL, 1},
    {"realloc", RM_KEPT, RM_WORK_NONE},
    {"reinterpret_cast", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"reshape", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"store", RM_KEPT, RM_WORK_NONE},
    {"subview", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"transpose", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
    {"view", RM_PURE | RM_VIEW_ARENA, RM_WORK_FREE},
};

RM_OP_TABLE(memref);
