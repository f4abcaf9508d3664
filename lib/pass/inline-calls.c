/* lib/pass/inline-calls.c - calls become the bodies that they call.
 *
 * MLIR's inliner does it, without the canonicalizer it would bring. It looks
 * for symbols in every region and crashes on an op of an unknown dialect whose
 * one region may be a symbol table, so such ops are refused before.
 *
 * needs:  any module
 * keeps:  every value, effect and their order
 * breaks: private functions that nobody calls go */

#include "pass/ops.h"
#include "pass/passes.h"

static MlirWalkResult find_unknown_region(MlirOperation op, void *found) {
  if (rm_op_is_registered(op) || mlirOperationGetNumRegions(op) != 1)
    return MlirWalkResultAdvance;
  *(MlirOperation *)found = op;
  return MlirWalkResultInterrupt;
}

bool rm_pass_inline_calls(MlirOperation module, RmPassRun *run) {
  MlirOperation unknown = {NULL};
  mlirOperationWalk(module, find_unknown_region, &unknown, MlirWalkPreOrder);
  if (mlirOperationIsNull(unknown))
    return rm_pipeline_run(run, module, "inline{default-pipeline=}");
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(unknown));
  rm_emit(RM_ERROR, mlirOperationGetLocation(unknown),
          "'%.*s' is of a dialect that is not known here, and so is what its "
          "region does: it cannot be lowered",
          (int)name.length, name.data);
  return false;
}
