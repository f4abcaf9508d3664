/* lib/pass/pipelines.c - the table of pipelines.
 *
 * A pipeline is a name for a list of passes that depends on options; its row
 * names the function that writes the list as text. The table ends in an empty
 * row. */
#include "shim/shim.h"

#include <stddef.h>

const RmPipelineDesc rm_pipelines[] = {{0}};

const int rm_num_pipelines =
    (int)(sizeof rm_pipelines / sizeof *rm_pipelines) - 1;
