/* lib/pass/pipelines.c - the table of pipelines.
 *
 * A pipeline is a name for a list of passes that depends on options; its row
 * names the function that writes the list as text. The table ends in an empty
 * row. */
#include "pass/pipelines.h"

#include "pass/passes.h"

#include <stddef.h>

static const RmOptionDesc arena_options[] = {
    {"alignment", RM_OPTION_SIZE, "64", "",
     "bytes to which each buffer and the arena are aligned"},
    {"arena", RM_OPTION_ENUM, "alloc", "alloc|argument",
     "allocated at entry, or lent by the caller as a last argument"},
    {"effort", RM_OPTION_INT, "1", "",
     "work to spend on packing the arena, 0 to 3"},
    {"forward", RM_OPTION_BOOL, "true", "",
     "what is only copied elsewhere is computed there"},
    {"in-place", RM_OPTION_BOOL, "true", "",
     "an elementwise result may take the place of an operand that dies there"},
    {"scratch", RM_OPTION_ENUM, "none", "none|results",
     "results: temporaries may lie in result buffers that are not yet written"},
    {"max-allocation", RM_OPTION_SIZE, "0", "",
     "bytes of the largest allocation: an arena becomes several; 0: no limit"},
};

const RmPipelineDesc rm_pipelines[] = {
    {"remat-to-arena",
     "tensors to memrefs, with one arena as the only allocation", arena_options,
     (int)(sizeof arena_options / sizeof *arena_options), rm_pipeline_to_arena},
    {"remat-to-cpu",
     "tensors to LLVM's dialect, planned if a budget or an overhead is given",
     rm_options_of_plan, RM_NUM_OPTIONS_OF_plan, rm_pipeline_to_cpu},
    {0}};

const int rm_num_pipelines =
    (int)(sizeof rm_pipelines / sizeof *rm_pipelines) - 1;
