/* tools/remat-run/options.h - the command line. */
#ifndef REMAT_RUN_OPTIONS_H
#define REMAT_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct InputFile {
  int argument;
  const char *path;
} InputFile;

typedef struct Options {
  const char *files[2];
  int num_files;
  const char *function; /* or null */
  InputFile *inputs;    /* room for one a word of the command line */
  int num_inputs;
  uint64_t seed;
  int repeat;
  bool stock, json, compile_only, help;
} Options;

/* False after a message on stderr. */
bool options_read(Options *options, int argc, char **argv);

void options_print_help(void);

#endif
