/* lib/pass/pipelines.c - the table of pipelines.
 *
 * A pipeline is a name for a list of passes that depends on options; its row
 * names the function that writes the list as text. The table ends in an empty
 * row. */
#include "pass/pipelines.h"

#include <stddef.h>

const RmPipelineDesc rm_pipelines[] = {
    {"remat-to-cpu", "tensors to LLVM's dialect, with shared kernels", NULL, 0,
     rm_pipeline_to_cpu},
    {0}};

const int rm_num_pipelines =
    (int)(sizeof rm_pipelines / sizeof *rm_pipelines) - 1;
