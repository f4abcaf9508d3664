/* lib/pass/pass-docs.c - writes docs/passes.md from the tables of passes and
 * pipelines, in the order in which they stand there. */
#include "pass/pass-docs.h"

#include "shim/shim.h"

static const char *name_of_kind(RmOptionKind kind) {
  static const char *const names[] = {
      [RM_OPTION_BOOL] = "bool",        [RM_OPTION_INT] = "int",
      [RM_OPTION_STRING] = "string",    [RM_OPTION_SIZE] = "size",
      [RM_OPTION_ENUM] = "one of",      [RM_OPTION_LIST] = "list",
      [RM_OPTION_PIPELINE] = "pipeline"};
  return names[kind];
}

/* A bar would end the cell of the table. */
static void write_cell(FILE *file, const char *text) {
  for (; *text; ++text)
    fprintf(file, *text == '|' ? "\\%c" : "%c", *text);
}

static void write_choices(FILE *file, const char *choices) {
  fputs(" `", file);
  for (; *choices; ++choices)
    if (*choices == '|')
      fputs("`, `", file);
    else
      fputc(*choices, file);
  fputc('`', file);
}

static void write_option(FILE *file, const RmOptionDesc *option) {
  fprintf(file, "| `%s` | %s", option->name, name_of_kind(option->kind));
  if (option->kind == RM_OPTION_ENUM)
    write_choices(file, option->choices);
  fputs(" | ", file);
  if (*option->initial) {
    fputc('`', file);
    write_cell(file, option->initial);
    fputc('`', file);
  }
  fputs(" | ", file);
  write_cell(file, option->help);
  fputs(" |\n", file);
}

static void write_options(FILE *file, const RmOptionDesc *options, int count) {
  if (!count)
    return;
  fputs("\n| option | kind | default | meaning |\n|---|---|---|---|\n", file);
  for (int i = 0; i < count; ++i)
    write_option(file, &options[i]);
}

static void write_pass(FILE *file, const RmPassDesc *pass) {
  fprintf(file, "\n## `%s`\n\n_%s_\n\n", pass->name, pass->summary);
  if (*pass->anchor)
    fprintf(file, "Runs on `%s`.\n", pass->anchor);
  else
    fputs("Runs on any op.\n", file);
  write_options(file, pass->options, pass->num_options);
  if (pass->num_statistics)
    fputs("\n| statistic | meaning |\n|---|---|\n", file);
  for (int i = 0; i < pass->num_statistics; ++i)
    fprintf(file, "| `%s` | %s |\n", pass->statistics[i].name,
            pass->statistics[i].help);
}

static void write_pipeline(FILE *file, const RmPipelineDesc *pipeline) {
  fprintf(file, "\n## `%s`\n\n_%s_\n\nA pipeline, on `builtin.module`.\n",
          pipeline->name, pipeline->summary);
  write_options(file, pipeline->options, pipeline->num_options);
}

void rm_docs_write(FILE *file) {
  fputs(
      "# Passes\n\n"
      "Written by `ninja docs` from the tables in lib/pass. Options are given "
      "as\n`remat-opt --PASS=\"option=value option=value\"`, or in braces in\n"
      "`--pass-pipeline=\"builtin.module(PASS{option=value})\"`. Text that "
      "holds spaces\nstands in braces; `\\7B` is a character by its code.\n",
      file);
  for (int i = 0; i < rm_num_passes; ++i)
    write_pass(file, &rm_passes[i]);
  for (int i = 0; i < rm_num_pipelines; ++i)
    write_pipeline(file, &rm_pipelines[i]);
}
