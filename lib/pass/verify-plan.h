/* lib/pass/verify-plan.h - a planned function against a plan file. */
#ifndef RM_PASS_VERIFY_PLAN_H
#define RM_PASS_VERIFY_PLAN_H

#include "support/pool.h"

#include "mlir-c/IR.h"

#include <stdbool.h>

typedef struct RmPlanText RmPlanText;

/* Reads a plan file as remat-plan's plan-out writes it. Null after a diagnostic
 * at `where`. */
RmPlanText *rm_plan_text_read(const char *path, MlirLocation where,
                              RmPool *pool);
void rm_plan_text_destroy(RmPlanText *plan);

/* True if `planned` is what the plan makes of `original`, which it becomes, and
 * if `remat.plan` says what the file says. A function that the file does not
 * have must be as it was. Else a diagnostic stands at what is wrong. */
bool rm_plan_text_verify(const RmPlanText *plan, MlirOperation planned,
                         MlirOperation original, const char *models,
                         RmPool *pool);

#endif
