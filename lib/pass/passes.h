/* lib/pass/passes.h - the functions behind passes.def: `rm_pass_<id>` runs the
 * pass on `op`; false, after a diagnostic, if it failed. */
#ifndef RM_PASS_PASSES_H
#define RM_PASS_PASSES_H

#include "shim/shim.h"

#define PASS(id, name, anchor, dialects, summary)                              \
  bool rm_pass_##id(MlirOperation op, RmPassRun *run);
#include "pass/passes.def"

#endif
