/* tools/remat-run/options.c - the command line. */
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: remat-run [options] FIRST.mlir [SECOND.mlir]\n"
    "\n"
    "Lowers one or two programs to machine code, runs them on equal inputs,\n"
    "compares every result bit for bit, and reports the bytes that they\n"
    "allocated at most and the time they took. Programs are functions on\n"
    "tensors, or what remat-to-cpu made of them at any stage.\n"
    "\n"
    "  --function NAME    the function to run (default: main, or the only "
    "one)\n"
    "  --seed N           of the inputs: floats in [0, 0.25), integers in\n"
    "                     [0, 8), i1 0 or 1 (default 0)\n"
    "  --input FILE.npy   read the next argument; --input N=FILE.npy reads\n"
    "                     argument N\n"
    "  --repeat N         time N runs of each, report the median of the\n"
    "                     processor time they took (default 1)\n"
    "  --stock            lower the first program by upstream's passes as "
    "well,\n"
    "                     each buffer freed after its last use\n"
    "  --compile-only     stop before running\n"
    "  --json             print one JSON object\n"
    "\n"
    "Exit status: 0 if results are equal, no argument was overwritten, and "
    "the\n"
    "last program's peak is the arena it was planned for; 1 if not; 2 if\n"
    "something could not be read, lowered or compiled.\n";

void options_print_help(void) { fputs(help, stdout); }

static bool refuse(const char *what, const char *word) {
  fprintf(stderr, "remat-run: %s '%s'; --help lists the options\n", what, word);
  return false;
}

static bool read_number(const char *word, uint64_t limit, uint64_t *number) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(word, &end, 10);
  if (errno || end == word || *end || *word == '-' || value > limit)
    return refuse("not a number that is allowed here:", word);
  *number = value;
  return true;
}

static bool read_input(Options *options, const char *word) {
  InputFile *input = &options->inputs[options->num_inputs];
  char *end;
  long number = strtol(word, &end, 10);
  if (end > word && *end == '=' && number >= 0 && number < 1 << 24)
    *input = (InputFile){(int)number, end + 1};
  else if (options->num_inputs)
    *input = (InputFile){input[-1].argument + 1, word};
  else
    *input = (InputFile){0, word};
  ++options->num_inputs;
  return true;
}

static bool read_flag(Options *options, const char *word) {
  if (!strcmp(word, "--stock"))
    return options->stock = true;
  if (!strcmp(word, "--json"))
    return options->json = true;
  if (!strcmp(word, "--compile-only"))
    return options->compile_only = true;
  if (!strcmp(word, "--help"))
    return options->help = true;
  return false;
}

static bool read_valued(Options *options, const char *name, const char *value) {
  uint64_t number;
  if (!strcmp(name, "--function"))
    return options->function = value, true;
  if (!strcmp(name, "--input"))
    return read_input(options, value);
  if (!strcmp(name, "--seed"))
    return read_number(value, UINT64_MAX, &options->seed);
  if (strcmp(name, "--repeat"))
    return refuse("unknown option", name);
  if (!read_number(value, 1000000, &number))
    return false;
  options->repeat = (int)number;
  return true;
}

/* `--name value` and `--name=value`; `*i` is moved behind what was read. */
static bool read_option(Options *options, int argc, char **argv, int *i) {
  char *word = argv[*i];
  if (read_flag(options, word))
    return true;
  char *equals = strchr(word, '=');
  if (equals) {
    *equals = 0;
    return read_valued(options, word, equals + 1);
  }
  if (*i + 1 == argc)
    return refuse("unknown option, or one without its value:", word);
  return read_valued(options, word, argv[++*i]);
}

bool options_read(Options *options, int argc, char **argv) {
  *options = (Options){.repeat = 1};
  options->inputs = calloc((size_t)argc + 1, sizeof *options->inputs);
  if (!options->inputs)
    abort();
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-' && argv[i][1]) {
      if (!read_option(options, argc, argv, &i))
        return false;
    } else if (options->num_files == 2) {
      return refuse("a third file:", argv[i]);
    } else {
      options->files[options->num_files++] = argv[i];
    }
  }
  if (options->num_files || options->help)
    return true;
  fprintf(stderr, "remat-run: no file; --help lists the options\n");
  return false;
}
