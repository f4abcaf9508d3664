/* lib/pass/passes.h - what stands behind passes.def.
 *
 * `rm_pass_<id>` runs the pass on `op`; false, after a diagnostic, if it
 * failed. `rm_options_of_<id>` are its options, RM_NUM_OPTIONS_OF_<id> of them,
 * for pipelines that hand them on. */
#ifndef RM_PASS_PASSES_H
#define RM_PASS_PASSES_H

#include "shim/shim.h"

#define PASS(id, name, anchor, dialects, summary)                              \
  bool rm_pass_##id(MlirOperation op, RmPassRun *run);
#include "pass/passes.def"

#define PASS(id, name, anchor, dialects, summary)                              \
  extern const RmOptionDesc rm_options_of_##id[];
#include "pass/passes.def"

#define PASS(id, name, anchor, dialects, summary)                              \
  enum { RM_NUM_OPTIONS_OF_##id = 0
#define OPTION(kind, name, initial, choices, help) +1
#define END(id)                                                                \
  }                                                                            \
  ;
#include "pass/passes.def"

#endif
