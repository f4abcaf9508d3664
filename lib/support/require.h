/* lib/support/require.h - misuse of an interface ends the process, in every
 * build, with the function's name and what it requires. */
#ifndef RM_SUPPORT_REQUIRE_H
#define RM_SUPPORT_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

#define rm_require(condition, what)                                            \
  ((condition)                                                                 \
       ? (void)0                                                               \
       : (fprintf(stderr, "%s: requires %s\n", __func__, (what)), abort()))

#endif
