/* tools/remat-bench/main.c - chooses the subcommand. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: remat-bench plan [options] FILE.json...\n"
    "       remat-bench memory [options] FILE.csv...\n"
    "\n"
    "Measures the planners on files, without MLIR. `plan` decides what graphs\n"
    "recompute; `memory` gives buffers offsets in an arena. Each has a "
    "--help.\n"
    "\n"
    "Exit status: 0; 1 if a result is wrong or a question was answered with "
    "no;\n"
    "2 if something could not be read.\n";

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "plan"))
    return bench_plan(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "memory"))
    return bench_memory(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "--help"))
    return fputs(help, stdout), ALL_WELL;
  if (argc > 1)
    return refuse("no subcommand of that name:", argv[1]), UNUSABLE;
  return fputs(help, stderr), UNUSABLE;
}
