/* include/remat/passes.h - the passes and pipelines, by their names.
 *
 * Once registered they are made like any other, from text:
 *
 *     rematRegisterPasses();
 *     mlirParsePassPipeline(manager, mlirStringRefCreateFromCString(
 *         "builtin.module(remat-plan{budget=50%})"), report, data);
 *
 * docs/passes.md lists them with their options. The dialects that they need are
 * loaded when a pass manager runs them. */
#ifndef REMAT_PASSES_H
#define REMAT_PASSES_H

#include "remat/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers all passes and pipelines with MLIR's registry, which is one for the
 * process. Again is allowed; not from two threads at once. */
REMAT_EXPORT void rematRegisterPasses(void);

#ifdef __cplusplus
}
#endif
#endif
