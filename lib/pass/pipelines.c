/* lib/pass/pipelines.c - the table of pipelines.
 *
 * A pipeline is a name for a list of passes that depends on options; its row
 * names the function that writes the list as text. The table ends in an empty
 * row. */
#include "pass/pipelines.h"

#include "pass/passes.h"

#include <stddef.h>

const RmPipelineDesc rm_pipelines[] = {
    {"remat-to-arena",
     "tensors to memrefs, with one arena as the only allocation",
     rm_options_of_plan_memory, RM_NUM_OPTIONS_OF_plan_memory,
     rm_pipeline_to_arena},
    {"remat-to-cpu",
     "tensors to LLVM's dialect, planned if a budget or an overhead is given",
     rm_options_of_plan, RM_NUM_OPTIONS_OF_plan, rm_pipeline_to_cpu},
    {0}};

const int rm_num_pipelines =
    (int)(sizeof rm_pipelines / sizeof *rm_pipelines) - 1;
