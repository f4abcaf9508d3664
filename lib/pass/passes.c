/* lib/pass/passes.c - the table of passes, made from passes.def.
 *
 * The list is read three times: for the arrays of options, the arrays of
 * statistics, and the table that names them. Each array ends in an empty row,
 * so that none is without rows. */
#include "pass/passes.h"

#include <stddef.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)) - 1)

#define PASS(id, name, anchor, dialects, summary)                              \
  const RmOptionDesc rm_options_of_##id[] = {
#define OPTION(kind, name, initial, choices, help)                             \
  {name, RM_OPTION_##kind, initial, choices, help},
#define END(id)                                                                \
  { 0 }                                                                        \
  }                                                                            \
  ;
#include "pass/passes.def"

#define PASS(id, name, anchor, dialects, summary)                              \
  static const RmStatisticDesc statistics_of_##id[] = {
#define STATISTIC(name, help) {name, help},
#define END(id)                                                                \
  { 0 }                                                                        \
  }                                                                            \
  ;
#include "pass/passes.def"

const RmPassDesc rm_passes[] = {
#define PASS(id, name, anchor, dialects, summary)                              \
  {name,                                                                       \
   summary,                                                                    \
   anchor,                                                                     \
   dialects,                                                                   \
   rm_options_of_##id,                                                         \
   COUNT(rm_options_of_##id),                                                  \
   statistics_of_##id,                                                         \
   COUNT(statistics_of_##id),                                                  \
   rm_pass_##id},
#include "pass/passes.def"
    {0}};

const int rm_num_passes = COUNT(rm_passes);
