/* lib/api/register-passes.c - remat/passes.h over the shim. */
#include "remat/passes.h"

#include "shim/shim.h"

void rematRegisterPasses(void) { rm_register_passes(); }
