/* lib/model/tensor-ops.c - shapes and parts of tensors.
 *
 * What bufferization turns into a view of the same memory is a view for an
 * arena; fit=live counts by names alone, as its judge does. */
#include "model/table.h"

static const RmOpRow rows[] = {
    {"bitcast", RM_PURE | RM_VIEW_ARENA, RM_WORK_NONE},
    {"cast", RM_PURE | RM_VIEW, RM_WORK_NONE},
    {"collapse_shape", RM_PURE | RM_VIEW, RM_WORK_NONE},
    {"concat", RM_PURE, RM_WORK_NONE},
    {"dim", RM_PURE, RM_WORK_FREE, 0, RM_MOVES_ALL, 1},
    {"empty", RM_PURE | RM_INIT, RM_WORK_FREE},
    {"expand_shape", RM_PURE | RM_VIEW, RM_WORK_NONE},
    {"extract", RM_PURE, RM_WORK_FREE},
    {"extract_slice", RM_PURE | RM_VIEW_ARENA, RM_WORK_NONE, 0,
     RM_MOVES_RESULT},
    {"from_elements", RM_PURE, RM_WORK_NONE},
    {"gather", RM_PURE, RM_WORK_NONE, 0, RM_MOVES_RESULT},
    {"generate", RM_PURE | RM_SCALARS, RM_WORK_RESULT, 4, RM_MOVES_WRITE},
    {"insert", RM_PURE, RM_WORK_NONE, 0, RM_MOVES_UPDATE},
    {"insert_slice", RM_PURE, RM_WORK_NONE, 0, RM_MOVES_UPDATE},
    {"pack", RM_PURE, RM_WORK_NONE},
    {"pad", RM_PURE | RM_SCALARS, RM_WORK_RESULT, 1},
    {"parallel_insert_slice", RM_PURE, RM_WORK_NONE, 0, RM_MOVES_UPDATE},
    {"rank", RM_PURE, RM_WORK_FREE, 0, RM_MOVES_ALL, 1},
    {"reshape", RM_PURE | RM_VIEW, RM_WORK_NONE},
    {"scatter", RM_PURE, RM_WORK_NONE},
    {"splat", RM_PURE, RM_WORK_NONE, 0, RM_MOVES_WRITE},
    {"unpack", RM_PURE, RM_WORK_NONE},
    {"yield", RM_PURE, RM_WORK_FREE},
};

RM_OP_TABLE(tensor);
